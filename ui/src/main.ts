import "@fontsource-variable/jetbrains-mono";
import "./styles/tokens.css";
import "./styles/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { setHost } from "./host";
import { tauriHost } from "./host/tauri";

/** Milliseconds after which what is needed later is read ahead. */
const AHEAD = 1500;

// The benchmark of the lists builds the pages in a mode of its own.
if ((import.meta.env.DEV || import.meta.env.MODE === "bench") && new URLSearchParams(location.search).has("fake")) {
    const { installFake } = await import("./host/fake/browser");
    installFake();
} else {
    setHost(tauriHost());
}

const target = document.getElementById("app");
if (target) {
    mount(App, { target });
    // What the first file needs comes while nobody waits for it.
    setTimeout(() => void import("./views/editor/codemirror/text-view"), AHEAD);
}
