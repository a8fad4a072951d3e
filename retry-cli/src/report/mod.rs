//! How results are shown. Each format is a room; [`words`] spells figures and [`escape`] disarms names for all of them.

pub mod escape;
pub mod html;
pub mod json;
pub mod markdown;
pub mod sarif;
pub mod svg;
pub mod terminal;
pub mod timeline;
pub mod words;
