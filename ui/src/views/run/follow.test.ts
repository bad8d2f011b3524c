import { expect, it } from "vitest";
import { followed } from "./follow";

/** A conversation of this height, scrolled so far, in a view of 400 pixels, with a card of a question in it. */
function conversation(height: number, scrollTop: number, cardTop: number | null): HTMLElement {
    const scroller = document.createElement("div");
    Object.defineProperties(scroller, {
        scrollHeight: { value: height },
        clientHeight: { value: 400 },
        scrollTop: { value: scrollTop },
    });
    scroller.getBoundingClientRect = () => new DOMRect(0, 100, 300, 400);
    if (cardTop !== null) {
        const card = document.createElement("section");
        card.dataset["testid"] = "approval-card";
        card.getBoundingClientRect = () => new DOMRect(0, 100 + cardTop - scrollTop, 300, height - cardTop);
        scroller.append(card);
    }
    return scroller;
}

it("follows the end of a conversation", () => {
    expect(followed(conversation(1000, 0, null))).toBe(600);
    expect(followed(conversation(300, 0, null))).toBe(0);
});

it("shows a whole question at the end, and one that does not fit from its top", () => {
    expect(followed(conversation(1000, 0, 700))).toBe(600);
    expect(followed(conversation(1000, 0, 308))).toBe(300);
    expect(followed(conversation(1000, 550, 308)), "wherever the view is").toBe(300);
});
