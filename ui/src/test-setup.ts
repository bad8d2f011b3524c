import { beforeEach } from "vitest";
import { setHost } from "./host";
import { fakeHost } from "./host/fake";

/** What jsdom has no layout for. */
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
