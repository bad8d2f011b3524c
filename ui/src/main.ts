import "@fontsource-variable/jetbrains-mono";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { setHost } from "./host";
import { tauriHost } from "./host/tauri";

/** Milliseconds after which code that is needed later is loaded ahead. */
const AHEAD = 1500;

// The benchmark of the lists builds the pages in a separate mode.
if ((import.meta.env.DEV || import.meta.env.MODE === "bench") && new URLSearchParams(location.search).has("fake")) {
    const { installFake } = await import("./host/fake/browser");
    installFake();
} else {
    setHost(tauriHost());
}

const target = document.getElementById("app");
if (target) {
    mount(App, { target });
    // Code for the first file is loaded before it is needed.
    setTimeout(() => void import("./views/editor/codemirror/text-view"), AHEAD);
}
