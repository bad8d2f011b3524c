import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import type { Image } from "../../generated/api";
import { call, step, tool } from "../../trace/sample";
import ContextMessageView from "../trace/ContextMessageView.svelte";
import ConversationTool from "./ConversationTool.svelte";
import PictureField from "./PictureField.svelte";

const PNG: Image = { mediaType: "image/png", data: btoa("\x89PNG") };
const JPEG: Image = { mediaType: "image/jpeg", data: btoa("JPEG") };

function shown(): string[] {
    return screen.getAllByRole("img").map((image) => image.getAttribute("src") ?? "");
}

describe("pictures", () => {
    it("are shown as what a tool returned", () => {
        const kind = tool(call("Read", '{"file_path":"chart.png"}'), { type: "none" }, "");
        if (kind.type !== "tool") {
            throw new Error("not a call");
        }
        const read = { ...kind, images: [PNG, JPEG] };
        render(ConversationTool, { step: step(2, 60, 400, read), tool: read, isAnswered: () => false, ondecide: vi.fn(), ontry: vi.fn() });
        expect(shown()).toEqual([`data:image/png;base64,${PNG.data}`, `data:image/jpeg;base64,${JPEG.data}`]);
        expect(screen.getAllByRole("img").map((image) => image.getAttribute("alt"))).toEqual(["Image 1: PNG, 1 kB", "Image 2: JPEG, 1 kB"]);
    });

    it("are shown in the context as the model got them", () => {
        render(ContextMessageView, {
            message: {
                role: "user",
                text: "What is this?",
                images: [PNG],
                calls: [],
                callId: null,
                marks: [],
                tokens: 60,
                added: true,
                cachePoint: false,
                reconstructed: false,
            },
        });
        expect(shown()).toEqual([`data:image/png;base64,${PNG.data}`]);
    });

    it("are attached to a prompt and taken out again; other files are refused by name", async () => {
        let attached: readonly Image[] = [JPEG];
        const onchange = vi.fn((images: readonly Image[]) => {
            attached = images;
        });
        const { rerender } = render(PictureField, { images: [JPEG], onchange });
        const files = [new File(["\x89PNG"], "a.png", { type: "image/png" }), new File(["x"], "notes.txt", { type: "text/plain" })];
        await fireEvent.change(screen.getByTestId("picture-add"), { target: { files } });
        await waitFor(() => expect(onchange).toHaveBeenCalledOnce());
        const both = attached;
        expect(attached.map(({ mediaType }) => mediaType)).toEqual(["image/jpeg", "image/png"]);
        expect((await screen.findByRole("alert")).textContent).toBe("Not a PNG, JPEG, GIF or WebP image: notes.txt");
        await rerender({ images: both });
        const [first] = screen.getAllByTestId("picture-remove");
        if (first === undefined) {
            throw new Error("nothing to remove");
        }
        expect(first.textContent).toBe("Remove image 1");
        await fireEvent.click(first);
        expect(attached).toEqual([both[1]]);
    });
});
