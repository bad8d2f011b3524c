import { render, screen, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";
import type { Document } from "../../generated/api";
import { setLocale, t } from "../../i18n";
import { call, step, tool } from "../../trace/sample";
import ConversationTool from "../run/ConversationTool.svelte";
import ContextMessageView from "./ContextMessageView.svelte";
import ToolDetail from "./ToolDetail.svelte";

const CSV: Document = { name: "a-1f2e3d4c", format: "csv", data: btoa("one,2\n") };
const UNKNOWN: Document = { name: "b", format: "", data: btoa("x".repeat(2000)) };

function read() {
    const kind = tool(call("file_read", '{"path":"a.csv","mode":"document"}'), { type: "none" }, "");
    if (kind.type !== "tool") {
        throw new Error("not a call");
    }
    return { ...kind, documents: [CSV, UNKNOWN] };
}

function shown(): string[] {
    const list = screen.getByTestId("documents");
    return within(list)
        .getAllByRole("listitem")
        .map((item) => item.textContent.replace(/\s+/gu, " ").trim());
}

describe("files for the model", () => {
    it("are shown by name, format and size, and never as their bytes", () => {
        const kind = read();
        render(ToolDetail, { step: step(2, 60, 400, kind), tool: kind });
        expect(shown()).toEqual(["a-1f2e3d4cCSV6 B", "b2 KB"]);
        expect(screen.queryByText(t("trace.emptyReply"))).toBeNull();
        expect(document.body.innerHTML).not.toContain(CSV.data);
    });

    it("are shown in the conversation", () => {
        const kind = read();
        render(ConversationTool, { step: step(2, 60, 400, kind), tool: kind, isAnswered: () => false, ondecide: vi.fn(), ontry: vi.fn() });
        expect(shown()[0]).toBe("a-1f2e3d4cCSV6 B");
    });

    it("are shown in the context, in Chinese as well", () => {
        setLocale("zh-CN");
        render(ContextMessageView, {
            message: {
                role: "tool",
                text: "",
                documents: [CSV],
                calls: [],
                callId: "call_1",
                marks: [],
                tokens: 4,
                added: true,
                cachePoint: false,
                reconstructed: false,
            },
        });
        expect(screen.getByTestId("documents").getAttribute("aria-label")).toBe("交给模型的文件");
        expect(shown()).toEqual(["a-1f2e3d4cCSV6 B"]);
        setLocale("en");
    });
});
