//! A named policy: its type, its constants, its executor.
//!
//! One leaf: `Charge::run(operation)`. Several: `LoadPage::new().profile(operation).orders(operation).run()`, with a type
//! for the operations, a type for what is still missing, and a type for the values.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use retry_planner::plan::Needs;
use retry_syntax::ast::{NamedPolicy, Node, NodeKind, first_span};
use retry_syntax::lower::is_constant;

use super::body::{self, Body, Leaves, Waits, step_name, var};
use super::plain;
use super::{docs, ended, hooks};
use crate::judge::{self, Judged};
use crate::spans::{located, respan};

/// A leaf with what the executor calls it.
struct Leaf {
    index: usize,
    /// The setter and the variable.
    name: Ident,
    /// The type parameter of its operation.
    operation: Ident,
    /// The type parameter of its future.
    future: Ident,
    /// The type of its value.
    value: Ident,
    /// Whether copies of it run side by side.
    shared: bool,
}

/// The leaves, the types of the values, and the outputs of compositions.
struct Shape<'a> {
    policy: &'a NamedPolicy,
    rt: TokenStream,
    leaves: Vec<Leaf>,
    /// The words of the user's code, which generic parameters must not be called.
    taken: HashSet<String>,
    /// The output types of compositions, by node.
    outputs: HashMap<usize, Ident>,
    /// What documents the words of the tree.
    words: TokenStream,
    /// What each node needs in order to succeed, where it is known now.
    needs: Option<Vec<Needs>>,
}

pub(super) fn named(
    policy: &NamedPolicy,
    facade: &TokenStream,
    judged: &Judged,
    words: TokenStream,
) -> TokenStream {
    let shape = Shape::of(policy, facade, judged, words);
    let NamedPolicy {
        attrs,
        vis,
        struct_token,
        ident,
        generics,
        root,
        ..
    } = policy;
    let rt = &shape.rt;
    let (impl_generics, _, clause) = generics.split_for_impl();
    let tree = &judged.policy;
    let params: Vec<TokenStream> = generics
        .params
        .iter()
        .map(|param| match param {
            syn::GenericParam::Lifetime(lifetime) => {
                let lifetime = &lifetime.lifetime;
                quote!(&#lifetime ())
            }
            syn::GenericParam::Type(param) => {
                let param = &param.ident;
                quote!(#param)
            }
            syn::GenericParam::Const(_) => quote!(()),
        })
        .collect();
    let item = if params.is_empty() {
        quote!(#vis #struct_token #ident;)
    } else {
        quote!(#vis #struct_token #ident #impl_generics(::core::marker::PhantomData<fn() -> (#(#params,)*)>) #clause;)
    };
    let plan = docs::policy(judged);
    let figures = judged.constant(
        &quote!(Self::POLICY),
        (judged.open && !judge::is_generic(&policy.generics)).then_some(root),
    );
    let as_constant = (params.is_empty() && is_constant(&ident.to_string())).then(|| {
        quote! {
            /// What a caller sees of the policy, for those that take its name for that of a constant.
            #[doc(hidden)]
            #[allow(clippy::unused_self, reason = "the value stands for its type")]
            #vis const fn callee(&self) -> #rt::planner::Callee<'static> {
                const { Self::PLAN.callee() }
            }
        }
    });
    let constants = quote! {
        /// The policy as data.
        #vis const POLICY: #rt::planner::Policy<'static> = #tree;
        #figures
        #as_constant
    };
    let executor = if let [leaf] = &shape.leaves[..] {
        shape.single(leaf, &constants)
    } else {
        shape.several(&constants)
    };
    let outputs = shape.output_types(root);
    quote! {
        #(#attrs)*
        #plan
        #item

        #executor
        #outputs
    }
}

impl<'a> Shape<'a> {
    fn of(policy: &'a NamedPolicy, facade: &TokenStream, judged: &Judged, words: TokenStream) -> Self {
        let mut shape = Self {
            policy,
            rt: quote!(#facade::__private),
            leaves: Vec::new(),
            taken: taken(policy),
            outputs: HashMap::new(),
            words,
            needs: judged.needs(),
        };
        shape.collect(&policy.root, None, None, false);
        if let [leaf] = &mut shape.leaves[..] {
            leaf.name = var("operation");
            [leaf.operation, leaf.future, leaf.value] =
                ["Operation", "Fut", "Value"].map(|name| free(&shape.taken, name));
        }
        shape
    }

    /// Walks the tree: `name` is the nearest one, `value` the type that a race or a fallback shares.
    fn collect(&mut self, node: &Node, name: Option<&Ident>, value: Option<&Ident>, shared: bool) {
        let name = node.name.as_ref().or(name);
        match &node.kind {
            NodeKind::Attempt(_) | NodeKind::Call(_) => {
                let name = name.cloned().unwrap_or_else(|| {
                    let at = self.leaves.len();
                    format_ident!("operation{at}")
                });
                let camel = camel(&name.to_string());
                self.leaves.push(Leaf {
                    index: node.index,
                    operation: free(&self.taken, &format!("{camel}Operation")),
                    future: free(&self.taken, &format!("{camel}Future")),
                    value: value
                        .cloned()
                        .unwrap_or_else(|| free(&self.taken, &format!("{camel}Value"))),
                    name,
                    shared,
                });
            }
            NodeKind::Series(steps) | NodeKind::Parallel(steps) => {
                let output = if self.outputs.is_empty() {
                    format_ident!("{}Output", self.policy.ident)
                } else {
                    let own = name.map_or_else(|| node.index.to_string(), |name| camel(&name.to_string()));
                    format_ident!("{}{own}Output", self.policy.ident)
                };
                self.outputs.insert(node.index, output);
                for step in steps {
                    self.collect(step, None, None, shared);
                }
            }
            NodeKind::Race(branches) | NodeKind::Fallback(branches) => {
                let own = free(&self.taken, &format!("Value{}", node.index));
                let value = value.unwrap_or(&own);
                for branch in branches {
                    self.collect(branch, name, Some(value), shared);
                }
            }
            NodeKind::Hedge(hedge) => self.collect(&hedge.child, name, value, true),
            other => {
                for child in other.children() {
                    self.collect(child, name, value, shared);
                }
            }
        }
    }

    fn leaf(&self, index: usize) -> Option<&Leaf> {
        self.leaves.iter().find(|leaf| leaf.index == index)
    }

    /// The type of a node's value.
    fn value(&self, node: &Node) -> TokenStream {
        match &node.kind {
            NodeKind::Attempt(_) | NodeKind::Call(_) => {
                let value = self.leaf(node.index).map(|leaf| &leaf.value);
                quote!(#value)
            }
            NodeKind::Series(steps) | NodeKind::Parallel(steps) => {
                let output = self.outputs.get(&node.index);
                let values = steps.iter().map(|step| self.value(step));
                quote!(#output<#(#values),*>)
            }
            other => other
                .children()
                .first()
                .map(|child| self.value(child))
                .unwrap_or_default(),
        }
    }

    /// The structs of what compositions bring.
    fn output_types(&self, root: &Node) -> TokenStream {
        let vis = &self.policy.vis;
        let policy = &self.policy.ident;
        root.preorder()
            .into_iter()
            .filter_map(|node| {
                let output = self.outputs.get(&node.index)?;
                let steps = node.kind.children();
                let fields: Vec<Ident> = steps
                    .iter()
                    .enumerate()
                    .map(|(at, step)| step_name(step, at))
                    .collect();
                let types: Vec<Ident> = fields
                    .iter()
                    .map(|field| format_ident!("{}", camel(&field.to_string())))
                    .collect();
                let doc = format!(" What a run of [`{policy}`] brings.");
                let docs = fields.iter().map(|field| format!(" What `{field}` brought."));
                Some(quote! {
                    #[doc = #doc]
                    #[derive(
                        ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug,
                        ::core::cmp::PartialEq, ::core::cmp::Eq
                    )]
                    #vis struct #output<#(#types),*> {
                        #(#[doc = #docs] #vis #fields: #types,)*
                    }
                })
            })
            .collect()
    }

    fn error(&self) -> TokenStream {
        self.policy.head.error.clone().unwrap_or_else(|| {
            let error = free(&self.taken, "E");
            quote!(#error)
        })
    }

    /// The generic parameters of the executor beyond the policy's own: futures, values, the error.
    fn run_params(&self) -> Vec<Ident> {
        let mut params: Vec<Ident> = self.leaves.iter().map(|leaf| leaf.future.clone()).collect();
        for leaf in &self.leaves {
            if !params.contains(&leaf.value) {
                params.push(leaf.value.clone());
            }
        }
        if self.policy.head.error.is_none() {
            params.push(free(&self.taken, "E"));
        }
        params
    }

    /// The bounds of operations and their futures.
    fn bounds(&self) -> TokenStream {
        self.bounds_of(|leaf| leaf.operation.to_token_stream())
    }

    fn bounds_of(&self, operation: impl Fn(&Leaf) -> TokenStream) -> TokenStream {
        let rt = &self.rt;
        let error = self.error();
        self.leaves
            .iter()
            .map(|leaf| {
                let operation = operation(leaf);
                let Leaf { future, value, .. } = leaf;
                let call = leaf.call_trait();
                quote! {
                    #operation: #call(#rt::Attempt) -> #future,
                    #future: ::core::future::Future<Output = ::core::result::Result<#value, #error>>,
                }
            })
            .collect()
    }

    /// Whether `run` needs the error type to tell of an interruption.
    fn told(&self) -> bool {
        body::interrupts(&self.policy.root) && self.policy.head.interrupted.is_none()
    }

    /// Whether `run` is lenient: nothing in the policy interrupts it, and nothing says what an interruption is.
    fn is_lenient(&self) -> bool {
        !body::interrupts(&self.policy.root) && self.policy.head.interrupted.is_none()
    }

    /// The bound by which `run` asks its callers for an error that can tell; a type that is known has it or hasn't.
    fn told_bound(&self) -> Option<TokenStream> {
        let (rt, error) = (&self.rt, self.error());
        let known = self.policy.head.error.is_some() && self.policy.generics.params.is_empty();
        let limit = body::interrupter(&self.policy.root).filter(|_| self.told() && !known)?;
        Some(located(
            &quote!(#error: #rt::FromInterrupted,),
            limit.keyword.span(),
        ))
    }

    /// Whether its run stands in the runtime.
    fn is_plain(&self) -> bool {
        self.policy.generics.params.is_empty() && plain::is_plain(&self.policy.root)
    }

    /// The policy's name, for observers.
    fn name(&self) -> TokenStream {
        body::observed(&self.policy.ident.to_string())
    }

    fn body(&self) -> Body<'_> {
        let rt = &self.rt;
        let generic = !self.policy.generics.params.is_empty();
        let policy = if generic {
            quote!(Self::POLICY)
        } else {
            let ident = &self.policy.ident;
            quote!(#ident::POLICY)
        };
        Body {
            rt: rt.clone(),
            policy,
            needs: self.needs.clone(),
            name: self.name(),
            generic,
            lenient: !body::interrupts(&self.policy.root),
            leaves: self,
            waits: Waits::of_task(&self.policy.root, self),
            plain: None,
        }
    }

    /// The run, shared by `run` and `run_detailed`, which say what becomes of a failure.
    fn execute(&self) -> TokenStream {
        let (rt, words) = (&self.rt, &self.words);
        let ended = var("ended");
        let left = free(&self.taken, "Left");
        let error = self.error();
        let value = self.value(&self.policy.root);
        let operations: Vec<&Ident> = self.leaves.iter().map(|leaf| &leaf.operation).collect();
        let params = self.run_params();
        let bounds = self.bounds();
        let arguments = self.leaves.iter().map(|leaf| {
            let Leaf { name, operation, .. } = leaf;
            let mutable = (!leaf.shared).then(|| quote!(mut));
            quote!(#mutable #name: #operation)
        });
        // Copies that are out side by side borrow their operation.
        let borrowed = self.leaves.iter().filter(|leaf| leaf.shared).map(|leaf| {
            let name = &leaf.name;
            quote!(let #name = &#name;)
        });
        // Told by the type of an argument, for `run_detailed` of the same policy is strict.
        let (given, manner, kind) = if self.is_lenient() {
            let (name, kind) = (var("manner"), free(&self.taken, "Manner"));
            (Some(quote!(#name: #kind,)), quote!(#name), Some(kind))
        } else {
            (None, body::manner(rt, false), None)
        };
        let course = kind
            .as_ref()
            .map_or_else(|| quote!(#rt::Course), |kind| quote!(#rt::Course<#kind>));
        let root = &self.policy.root;
        let run = self.body().execute(root, &error, &manner, &quote!(#ended));
        let kind = kind.map(|kind| quote!(#kind: #rt::Manner,));
        quote! {
            fn __execute<#(#operations,)* #(#params,)* #kind #left>(
                #given
                #(#arguments,)*
                #ended: impl ::core::ops::FnOnce(&#course, #rt::Fall<#error>) -> #left + ::core::marker::Copy,
            ) -> impl ::core::future::Future<Output = ::core::result::Result<#value, #left>>
            where
                #bounds
            {
                #words
                async move {
                    #(#borrowed)*
                    #run
                }
            }
        }
    }

    /// Whether an error is worth another attempt, as a function of a policy whose run stands in the runtime.
    fn when(&self) -> Option<TokenStream> {
        let (rt, when) = (&self.rt, plain::when(&self.policy.root)?);
        let (error, of) = (var("error"), self.error());
        let verdict = hooks::verdict(rt, when, &error);
        let any = self.policy.head.error.is_none().then(|| quote!(<#of>));
        Some(quote! {
            fn __when #any(#error: &#of) -> bool {
                #verdict
            }
        })
    }

    /// The policy's own parameters, as `use<…>` lists them.
    fn own_params(&self) -> Vec<TokenStream> {
        let mut params = Vec::new();
        for param in &self.policy.generics.params {
            match param {
                syn::GenericParam::Lifetime(param) => {
                    let lifetime = &param.lifetime;
                    params.insert(0, quote!(#lifetime));
                }
                syn::GenericParam::Type(param) => {
                    let ident = &param.ident;
                    params.push(quote!(#ident));
                }
                syn::GenericParam::Const(param) => {
                    let ident = &param.ident;
                    params.push(quote!(#ident));
                }
            }
        }
        params
    }

    /// What becomes of a failed run: a function.
    fn ended(&self, detailed: bool) -> TokenStream {
        let rt = &self.rt;
        if detailed {
            return quote!(#rt::Course::failure);
        }
        let error = self.policy.head.error.as_ref();
        let place = error.map_or_else(Span::call_site, first_span);
        let interrupted = self.policy.head.interrupted.as_ref();
        ended::error(rt, interrupted, self.told(), place, error.is_some())
    }

    /// The body of `run` or `run_detailed`; `operations` are expressions.
    fn start(&self, detailed: bool, operations: &[TokenStream]) -> TokenStream {
        let (rt, lenient) = (&self.rt, self.is_lenient() && !detailed);
        let (ident, ended) = (&self.policy.ident, self.ended(detailed));
        let manner = body::manner(rt, lenient);
        if self.is_plain() {
            let (root, value, error) = (&self.policy.root, self.value(&self.policy.root), self.error());
            let error = if detailed {
                quote!(#rt::Failure<#error>)
            } else {
                error
            };
            return plain::Run {
                rt,
                policy: &quote!(#ident),
                root,
                manner: &manner,
                output: &quote!(::core::result::Result<#value, #error>),
                operation: &quote!(#(#operations)*),
                when: plain::when(root).map(|_| quote!(Self::__when)),
                ended: &ended,
            }
            .future();
        }
        let (_, type_generics, _) = self.policy.generics.split_for_impl();
        let manner = self.is_lenient().then_some(manner).into_iter();
        quote!(<#ident #type_generics>::__execute(#(#manner,)* #(#operations,)* #ended))
    }

    fn single(&self, leaf: &Leaf, constants: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let NamedPolicy {
            ident,
            generics,
            vis,
            root,
            ..
        } = self.policy;
        let (impl_generics, type_generics, clause) = generics.split_for_impl();
        let Leaf { name, operation, .. } = leaf;
        let params = self.run_params();
        let bounds = self.bounds();
        let (value, error) = (self.value(root), self.error());
        let (execute, generic_code, words) = if self.is_plain() {
            (self.when(), Some(self.plain()), Some(&self.words))
        } else {
            (Some(self.execute()), self.single_leaf(), None)
        };
        let told = self.told_bound();
        let operations = [quote!(#name)];
        let (plain, detailed) = (self.start(false, &operations), self.start(true, &operations));
        quote! {
            #[allow(clippy::diverging_sub_expression, reason = "a node that always fails ends its block")]
            impl #impl_generics #ident #type_generics #clause {
                #constants

                /// Runs the operation under the policy.
                ///
                /// # Errors
                ///
                /// The operation's last error as it was, else what its type makes of `Interrupted`.
                #vis fn run<#operation, #(#params,)*>(
                    #name: #operation,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#value, #error>>
                where
                    #bounds
                    #told
                {
                    #words
                    #plain
                }

                /// Runs the operation under the policy, and tells all about a failure.
                ///
                /// # Errors
                ///
                /// Why the run ended, the operation's last error, and how many attempts and how long it took.
                #vis fn run_detailed<#operation, #(#params,)*>(
                    #name: #operation,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#value, #rt::Failure<#error>>>
                where
                    #bounds
                {
                    #detailed
                }

                #execute
            }

            #generic_code
        }
    }

    /// What the runtime, and with it generic code, knows of a policy whose run stands there.
    fn plain(&self) -> TokenStream {
        let (rt, ident) = (&self.rt, &self.policy.ident);
        let generic_code = if self.policy.head.error.is_none() && plain::is_figures(&self.policy.root) {
            Some(quote!(#[automatically_derived] impl #rt::AnyError for #ident {}))
        } else {
            self.single_leaf()
        };
        quote! {
            #[automatically_derived]
            impl #rt::PlainPolicy for #ident {
                const TREE: #rt::planner::Policy<'static> = Self::POLICY;
            }
            #generic_code
        }
    }

    /// The trait of generic code, unless a hook's future is one that nobody knows to be `Send`.
    fn single_leaf(&self) -> Option<TokenStream> {
        let rt = &self.rt;
        let NamedPolicy {
            ident,
            generics,
            root,
            ..
        } = self.policy;
        let awaits_hooks = root.preorder().into_iter().any(|node| match &node.kind {
            NodeKind::Retry(retry) => retry
                .when
                .iter()
                .chain(&retry.on_retry)
                .any(super::hooks::is_async),
            _ => false,
        });
        if awaits_hooks {
            return None;
        }
        let error = self.error();
        let [value, operation, future] = ["T", "Operation", "Fut"].map(|name| free(&self.taken, name));
        let mut any = generics.clone();
        let free_error = self.policy.head.error.is_none().then(|| free(&self.taken, "E"));
        for name in std::iter::once(value.clone()).chain(free_error) {
            any.params
                .push(syn::GenericParam::Type(syn::TypeParam::from(name)));
        }
        let (impl_generics, _, _) = any.split_for_impl();
        let (_, type_generics, clause) = generics.split_for_impl();
        Some(quote! {
            #[automatically_derived]
            impl #impl_generics #rt::SingleLeaf<#value, #error> for #ident #type_generics #clause {
                const TREE: #rt::planner::Policy<'static> = Self::POLICY;

                fn run_single<#operation, #future>(
                    operation: #operation,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#value, #rt::Failure<#error>>>
                    + ::core::marker::Send
                where
                    #operation: ::core::ops::Fn(#rt::Attempt) -> #future + ::core::marker::Send + ::core::marker::Sync,
                    #future: ::core::future::Future<Output = ::core::result::Result<#value, #error>>
                        + ::core::marker::Send,
                    #value: ::core::marker::Send,
                    #error: ::core::marker::Send,
                {
                    Self::run_detailed(operation)
                }
            }
        })
    }

    #[expect(clippy::too_many_lines, reason = "it is one template")]
    fn several(&self, constants: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let NamedPolicy {
            ident,
            generics,
            vis,
            root,
            ..
        } = self.policy;
        let (impl_generics, type_generics, clause) = generics.split_for_impl();
        let own = self.own_params();
        let run_type = format_ident!("{ident}Run");
        let names: Vec<&Ident> = self.leaves.iter().map(|leaf| &leaf.name).collect();
        let operations: Vec<&Ident> = self.leaves.iter().map(|leaf| &leaf.operation).collect();
        let missing: Vec<Ident> = names
            .iter()
            .map(|name| format_ident!("{ident}Without{}", camel(&name.to_string()), span = there(name)))
            .collect();
        let missing_docs = names
            .iter()
            .map(|name| format!(" [`{ident}`] with no operation for `{name}` yet."));
        let error = self.error();
        let setters = self.leaves.iter().enumerate().map(|(at, leaf)| {
            let Leaf {
                name, future, value, ..
            } = leaf;
            let doc = format!(" The operation of `{name}`.");
            let given = free(&self.taken, "Given");
            let types = self.leaves.iter().enumerate().map(|(other, leaf)| {
                let operation = &leaf.operation;
                if at == other {
                    quote!(#rt::Operation<#given>)
                } else {
                    quote!(#operation)
                }
            });
            let fields = names.iter().enumerate().map(|(other, field)| {
                if at == other {
                    quote!(#field: #rt::Operation(#field))
                } else {
                    quote!(#field: self.#field)
                }
            });
            let any = self.policy.head.error.is_none().then(|| quote!(, #error));
            let call = leaf.call_trait();
            quote! {
                #[doc = #doc]
                #vis fn #name<#given, #future, #value #any>(
                    self,
                    #name: #given,
                ) -> #run_type<#(#own,)* #(#types),*>
                where
                    #given: #call(#rt::Attempt) -> #future,
                    #future: ::core::future::Future<Output = ::core::result::Result<#value, #error>>,
                {
                    #run_type { #(#fields,)* policy: ::core::marker::PhantomData }
                }
            }
        });
        let params = self.run_params();
        let bounds = self.bounds_of(|leaf| {
            let operation = &leaf.operation;
            quote!(#operation::Operation)
        });
        // On the leaf's name, where rustc shows what a run without its operation lacks.
        let given = self.leaves.iter().map(|leaf| {
            let operation = &leaf.operation;
            located(&quote!(#operation: #rt::Given), leaf.name.span())
        });
        let missing_types = missing
            .iter()
            .zip(&names)
            .zip(missing_docs)
            .map(|((missing, name), doc)| {
                let vis = respan(vis, there(name));
                quote_spanned! {there(name)=>
                    #[doc = #doc]
                    #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
                    #vis struct #missing;
                }
            });
        let value = self.value(root);
        let execute = self.execute();
        let told = self.told_bound();
        let taken: Vec<TokenStream> = names
            .iter()
            .map(|name| quote!(#rt::Given::operation(self.#name)))
            .collect();
        let (plain, detailed) = (self.start(false, &taken), self.start(true, &taken));
        let own_decl = generics.params.iter().collect::<Vec<_>>();
        let doc = format!(" The operations of a run of [`{ident}`].");
        quote! {
            #(#missing_types)*

            #[doc = #doc]
            #[must_use = "operations do nothing until they are run"]
            #vis struct #run_type<#(#own_decl,)* #(#operations),*> #clause {
                #(#names: #operations,)*
                policy: ::core::marker::PhantomData<fn() -> #ident #type_generics>,
            }

            #[allow(clippy::diverging_sub_expression, reason = "a node that always fails ends its block")]
            #[allow(clippy::too_many_arguments, reason = "there is one for each leaf")]
            impl #impl_generics #ident #type_generics #clause {
                #constants

                /// A run, whose operations are still to be given.
                #vis const fn new() -> #run_type<#(#own,)* #(#missing),*> {
                    #run_type { #(#names: #missing,)* policy: ::core::marker::PhantomData }
                }

                #execute
            }

            impl<#(#own_decl,)* #(#operations),*> #run_type<#(#own,)* #(#operations),*> #clause {
                #(#setters)*
            }

            impl<#(#own_decl,)* #(#given),*> #run_type<#(#own,)* #(#operations),*> #clause {
                /// Runs the operations under the policy.
                ///
                /// # Errors
                ///
                /// The operations' last error as it was, else what its type makes of `Interrupted`.
                #vis fn run<#(#params,)*>(
                    self,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#value, #error>>
                where
                    #bounds
                    #told
                {
                    #plain
                }

                /// Runs the operations under the policy, and tells all about a failure.
                ///
                /// # Errors
                ///
                /// Why the run ended, the operations' last error, and how many attempts and how long it took.
                #vis fn run_detailed<#(#params,)*>(
                    self,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#value, #rt::Failure<#error>>>
                where
                    #bounds
                {
                    #detailed
                }
            }
        }
    }
}

impl Leaf {
    fn call_trait(&self) -> TokenStream {
        if self.shared {
            quote!(::core::ops::Fn)
        } else {
            quote!(::core::ops::FnMut)
        }
    }
}

impl Leaves for Shape<'_> {
    fn call(&self, leaf: &Node, cx: &Ident) -> TokenStream {
        let name = self.leaf(leaf.index).map(|leaf| &leaf.name);
        quote!(#name(#cx))
    }

    fn is_call(&self, _: &Node) -> bool {
        true
    }

    fn any_outcome(&self) -> bool {
        false
    }

    fn output(&self, node: &Node, children: &[Ident]) -> TokenStream {
        let output = self.outputs.get(&node.index);
        quote!(#output { #(#children),* })
    }
}

/// Where a leaf's name stands, for what the macro writes.
fn there(name: &Ident) -> Span {
    Span::call_site().located_at(name.span())
}

/// A name for a generic parameter that doesn't hide what the user's code means by it.
fn free(taken: &HashSet<String>, name: &str) -> Ident {
    let mut name = name.to_owned();
    while taken.contains(&name) {
        name.push('_');
    }
    format_ident!("{name}")
}

/// Every word of the user's code that ends up inside the executor's functions.
fn taken(policy: &NamedPolicy) -> HashSet<String> {
    fn collect(tokens: &TokenStream, taken: &mut HashSet<String>) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(word) => {
                    taken.insert(word.to_string());
                }
                TokenTree::Group(group) => collect(&group.stream(), taken),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut taken = HashSet::new();
    let head = [&policy.head.error, &policy.head.interrupted];
    head.into_iter()
        .flatten()
        .for_each(|code| collect(code, &mut taken));
    collect(&policy.generics.params.to_token_stream(), &mut taken);
    for node in policy.root.preorder() {
        let code = match &node.kind {
            NodeKind::Attempt(attempt) => vec![attempt.key.as_ref().and_then(|key| key.expr.as_ref())],
            NodeKind::Retry(retry) => vec![
                retry.when.as_ref(),
                retry.until.as_ref(),
                retry.on_retry.as_ref(),
                retry.retry_after.as_ref(),
                retry.budget.as_ref().map(|budget| &budget.path),
            ],
            NodeKind::Hedge(hedge) => vec![hedge.budget.as_ref().map(|budget| &budget.path)],
            NodeKind::Allowance(allowance) => vec![Some(&allowance.budget.path)],
            _ => Vec::new(),
        };
        code.into_iter()
            .flatten()
            .for_each(|code| collect(code, &mut taken));
    }
    taken
}

/// `load_page` as `LoadPage`.
fn camel(name: &str) -> String {
    name.trim_start_matches("r#")
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}
