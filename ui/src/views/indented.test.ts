/** Whether bodies of requests are indented is one choice, wherever they are shown. */
import { fireEvent, render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import { inspectionOf, listOf, sentOf, tokensOf } from "../host/fake/answers";
import { SAMPLE_FILES } from "../host/fake/files";
import SentPane from "./inspect/SentPane.svelte";
import ContextPane from "./trace/ContextPane.svelte";

const given = inspectionOf(new Map(Object.entries(SAMPLE_FILES)), "agent-framework", null);
const context = { step: 0, body: '{"a":[1]}', exact: true, tools: [], messages: [], skills: [], groups: [], tokens: 1 };

it("a request shown as it is sent in Inspect is shown so in Traces, too", async () => {
    render(SentPane, {
        inspection: listOf(given),
        tokens: tokensOf(given),
        sent: () => Promise.resolve(sentOf(given)),
        request: () => Promise.resolve({ body: '{"a":[1]}', curl: "" }),
        oncopy: () => undefined,
        onopenskill: () => undefined,
    });
    await fireEvent.click(screen.getByTestId("inspect-tab-request"));
    expect((await screen.findByTestId("inspect-request")).textContent).toContain('{\n  "a": [\n    1\n  ]\n}');
    render(ContextPane, { props: { context } });
    await fireEvent.click(screen.getByTestId("context-body-tab"));
    const pressed = () => ["inspect-indented", "context-indented"].map((testid) => screen.getByTestId(testid).ariaPressed);
    expect(pressed()).toEqual(["true", "true"]);
    await fireEvent.click(screen.getByTestId("inspect-indented"));
    expect([pressed(), screen.getByTestId("context-body").textContent]).toEqual([["false", "false"], '{"a":[1]}']);
    await fireEvent.click(screen.getByTestId("context-indented"));
    expect(pressed()).toEqual(["true", "true"]);
});
