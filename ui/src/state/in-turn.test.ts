import { expect, it } from "vitest";
import { InTurn } from "./in-turn";

it("asks one question at a time, and of those that wait the last alone", async () => {
    const turn = new InTurn();
    const asked: string[] = [];
    const answers = new Map<string, (text: string) => void>();
    const ask = (name: string) =>
        turn.ask(() => {
            asked.push(name);
            return new Promise<string>((answer) => answers.set(name, answer));
        });
    const [a, b] = [ask("a"), ask("b")];
    expect([await a, asked]).toEqual([null, ["b"]]);
    const [c, d] = [ask("c"), ask("d")];
    await Promise.resolve();
    expect(asked).toEqual(["b"]);
    answers.get("b")?.("of b");
    expect([await b, await c]).toEqual(["of b", null]);
    expect(asked).toEqual(["b", "d"]);
    answers.get("d")?.("of d");
    expect(await d).toBe("of d");
});

it("goes on after a question that failed", async () => {
    const turn = new InTurn();
    await expect(turn.ask(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await turn.ask(() => Promise.resolve(1))).toBe(1);
});
