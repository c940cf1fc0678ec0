//! What the page shows of a mesh: the same as the page of `navbake view`.

use baker_cli::report::view::{PageFile, page_data};
use navmesh_runtime::asset;
use wasm_bindgen::prelude::*;

/// The data of a page for the bytes of a `.navmesh` file, as JSON.
#[wasm_bindgen(js_name = pageData)]
pub fn data(name: &str, mesh: &[u8]) -> Result<String, JsError> {
    let mesh = &asset::decode(mesh)?;
    let art = None;
    let file = PageFile { name, mesh, art };
    Ok(page_data(&[file], None, None).to_string())
}
