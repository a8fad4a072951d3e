// What the targets take of the evidence and of the model: included at each one's root, since its parts name each other
// from there.

#[path = "../../tests/evidence/aim.rs"]
mod aim;
#[path = "../../tests/evidence/case.rs"]
mod case;
#[path = "../../retry-planner/tests/model/convert.rs"]
mod convert;
#[path = "../../tests/evidence/execute.rs"]
mod execute;
#[path = "../../tests/evidence/fuzzed.rs"]
mod fuzzed;
#[path = "../../tests/evidence/kept.rs"]
mod kept;
#[path = "../../retry-planner/tests/model/random.rs"]
mod random;
#[path = "../../tests/evidence/script.rs"]
mod script;
#[path = "../../retry-planner/tests/model/tree.rs"]
mod tree;
