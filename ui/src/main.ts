import "@fontsource-variable/jetbrains-mono";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { setHost } from "./host";
import { tauriHost } from "./host/tauri";

if (import.meta.env.DEV && new URLSearchParams(location.search).has("fake")) {
    const { installFake } = await import("./host/fake/browser");
    installFake();
} else {
    setHost(tauriHost());
}

const target = document.getElementById("app");
if (target) {
    mount(App, { target });
}
