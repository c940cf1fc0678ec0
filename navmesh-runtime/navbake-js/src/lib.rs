//! JavaScript interface of `navmesh-runtime` (feature `runtime`), with `navmesh-behavior`
//! (`behavior`), and of `navbake` (`baker`). Each is built to a WebAssembly module of its own, and
//! all of them to that of the page.
//!
//! The documentation comments of the exported items are those of the TypeScript types.

#[cfg(feature = "baker")]
mod baker;
#[cfg(feature = "behavior")]
mod behavior;
#[cfg(all(feature = "baker", feature = "behavior"))]
mod page;
#[cfg(feature = "runtime")]
mod runtime;

use js_sys::{Array, Float32Array, Object, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A list of texts.
    #[wasm_bindgen(typescript_type = "string[]")]
    pub type JsTexts;
}

/// An object with these properties. That cannot fail for an object just made.
fn object<const N: usize>(properties: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object
}

/// Points as x, y, x, y, …
fn points(points: impl IntoIterator<Item = [f32; 2]>) -> JsValue {
    let flat: Vec<f32> = points.into_iter().flatten().collect();
    Float32Array::from(flat.as_slice()).into()
}

/// A list of texts.
fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Array {
    texts
        .into_iter()
        .map(|text| JsValue::from_str(text.as_ref()))
        .collect()
}
