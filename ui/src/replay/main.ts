/** A page that replays the one run in it, with the parts of the window that show runs. */
import "@fontsource-variable/jetbrains-mono";
import "../styles/tokens.css";
import "../styles/base.css";
import { mount } from "svelte";
import { setHost } from "../host";
import { setLocale } from "../i18n";
import { app } from "../state/app.svelte";
import { reviews } from "../state/review.svelte";
import { Recorded, replayHost } from "./recorded";
import Replay from "./Replay.svelte";

const target = document.getElementById("app");
const written = document.getElementById("run")?.textContent;
if (target !== null && written) {
    const recorded = new Recorded(written);
    setHost(replayHost(recorded));
    setLocale(recorded.locale);
    document.documentElement.lang = recorded.locale;
    document.title = recorded.detail.summary.setup.prompt.slice(0, 120);
    reviews.fixed = true;
    // The keys of the walk are those of this place.
    app.go("traces");
    mount(Replay, { target, props: { detail: recorded.detail } });
}
