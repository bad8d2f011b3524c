import { configure } from "@testing-library/svelte";
import { beforeEach } from "vitest";
import { setHost } from "./host";
import { fakeHost } from "./host/fake";

/** A wait ends as soon as what it waits for is there, so the time is for machines that are slow or busy. */
configure({ asyncUtilTimeout: 15_000 });

/** Replaces functions that need a layout, which jsdom lacks. */
class NoResize implements ResizeObserver {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
}

globalThis.ResizeObserver = NoResize;
Element.prototype.scrollIntoView = () => {};
Element.prototype.animate = () => new Animation();
globalThis.matchMedia = (media) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener: () => {}, removeListener: () => {} });
Range.prototype.getClientRects = () => document.createElement("div").getClientRects();
Range.prototype.getBoundingClientRect = () => document.createElement("div").getBoundingClientRect();

beforeEach(() => {
    localStorage.clear();
    setHost(fakeHost());
});
