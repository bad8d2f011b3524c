/** Where the focus goes when a dialog closes. */
import { render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, it } from "vitest";
import Dialog from "./Dialog.svelte";

let button: HTMLButtonElement;
let main: HTMLElement;

beforeEach(() => {
    main = document.body.appendChild(document.createElement("main"));
    main.tabIndex = -1;
    button = main.appendChild(document.createElement("button"));
    button.focus();
});

afterEach(() => main.remove());

const dialog = { title: "A dialog", testid: "dialog", onclose: () => undefined };

it("goes back to what had it", async () => {
    const { rerender } = render(Dialog, { open: true, ...dialog });
    await waitFor(() => expect(screen.getByTestId("dialog").contains(document.activeElement)).toBe(true));
    await rerender({ open: false, ...dialog });
    await waitFor(() => expect(document.activeElement).toBe(button));
});

it("goes to the place behind the dialog where what had it is gone", async () => {
    const { rerender } = render(Dialog, { open: true, ...dialog });
    await waitFor(() => expect(screen.getByTestId("dialog").contains(document.activeElement)).toBe(true));
    button.remove();
    await rerender({ open: false, ...dialog });
    await waitFor(() => expect(document.activeElement).toBe(main));
});

it("a dialog that goes as a whole leaves it there too", async () => {
    const { unmount } = render(Dialog, { open: true, ...dialog });
    await waitFor(() => expect(screen.getByTestId("dialog").contains(document.activeElement)).toBe(true));
    button.remove();
    unmount();
    await waitFor(() => expect(document.activeElement).toBe(main));
});
