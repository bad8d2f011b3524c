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

it("names the model if it is not the run's, and what was written to a cache", () => {
    const kind = answer("Two pounds.", []);
    if (kind.type !== "answer") {
        throw new Error("an answer");
    }
    const usage = { input: 5000, output: 20, cached: 1000, cacheWritten: 3000 };
    const { unmount } = render(AnswerDetail, { answer: { ...kind, model: "another", usage }, running: false, ongo: () => undefined });
    const facts = () => [...document.querySelectorAll("dt")].map((name) => [name.textContent, name.nextElementSibling?.textContent]);
    expect(facts()).toContainEqual(["Model", "another"]);
    expect(facts()).toContainEqual(["Provider's count", "in 5,000 · out 20 · cached 1,000 · written to the cache 3,000"]);
    unmount();
    render(AnswerDetail, { answer: { ...kind, usage: { ...usage, cacheWritten: 0 } }, running: false, ongo: () => undefined });
    expect(facts()).toContainEqual(["Provider's count", "in 5,000 · out 20 · cached 1,000"]);
    expect(facts().map(([name]) => name)).not.toContain("Model");
});
