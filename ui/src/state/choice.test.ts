import { expect, it } from "vitest";
import { HARNESSES } from "../host/fake/answers";
import { besideHarness, besideVariant, defaults, keyOf, readChoice, settled } from "./choice";

it("names the variant that is meant, and drops one that is no more", () => {
    expect(settled(HARNESSES, { harness: "eino", variant: null })).toEqual({ harness: "eino", variant: "seed" });
    expect(settled(HARNESSES, { harness: "eino", variant: "gone" })).toEqual({ harness: "eino", variant: "seed" });
    expect(settled(HARNESSES, { harness: "gone", variant: null })).toBeNull();
});

it("walks the harnesses and their variants around the end", () => {
    const last = { harness: "agentscope", variant: "python-2.0.11" };
    const end = { harness: "opencode", variant: "1.18" };
    const beside = [
        besideHarness(HARNESSES, last, 1),
        besideHarness(HARNESSES, end, 1),
        besideVariant(HARNESSES, last, 1),
        besideVariant(HARNESSES, last, -1),
    ];
    expect(beside.map(keyOf)).toEqual(["agent-skills/0.1.1", "agent-framework/seed", "agentscope/seed", "agentscope/java-2.0.3"]);
});

it("reads what was kept, whatever it is", () => {
    expect([null, 7, {}, { harness: 1 }, { harness: "eino" }].map(readChoice)).toEqual([
        null,
        null,
        null,
        null,
        { harness: "eino", variant: null },
    ]);
});

it("has each harness of a group once by default", () => {
    expect(defaults(HARNESSES, "client").map(keyOf)).toEqual([
        "agent-skills/0.1.1",
        "claude-code/2.1.330",
        "codex/0.169",
        "deepagents/0.7",
        "gemini-cli/0.61",
        "opencode/1.18",
    ]);
    expect(defaults(HARNESSES)).toEqual([...defaults(HARNESSES, "framework"), ...defaults(HARNESSES, "client")]);
    expect(defaults(HARNESSES, "framework").map(keyOf)).toEqual([
        "agent-framework/seed",
        "eino/seed",
        "learn-claude-code/seed",
        "strands/seed",
        "agentscope/seed",
    ]);
});
