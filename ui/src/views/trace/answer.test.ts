import { render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { answer } from "../../trace/sample";
import AnswerDetail from "./AnswerDetail.svelte";

function failed(hint: string | null) {
    const kind = answer("", []);
    if (kind.type !== "answer") {
        throw new Error("an answer");
    }
    render(AnswerDetail, { answer: { ...kind, error: "answered 401", hint, raw: "{}" }, running: false, ongo: () => undefined });
}

it("says what to do next under an error", () => {
    failed("check the key");
    expect(screen.getByTestId("answer-hint").textContent).toContain("check the key");
});

it("says nothing where nothing is known to help", () => {
    failed(null);
    expect(screen.queryByTestId("answer-hint")).toBeNull();
});
