//! Gives the shared library the name by which programs look for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Without it, a program linked with a path to the library runs only where the
    // library is at that path.
    let name = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd" | "netbsd" | "openbsd") => "-Wl,-soname,libnavbake_c.so",
        Ok("macos" | "ios") => "-Wl,-install_name,@rpath/libnavbake_c.dylib",
        _ => return,
    };
    println!("cargo:rustc-cdylib-link-arg={name}");
}
