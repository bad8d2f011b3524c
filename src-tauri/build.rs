fn main() {
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("./src-tauri/capabilities/*.json");
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error={error:#}");
    }
}
