import { expect, it } from "vitest";
import { host, setHost } from ".";
import type { Data } from "../generated/api";
import { onChange } from "./changes";
import { fakeHost } from "./fake";

function heard(): { data: Data[]; end: () => void } {
    const data: Data[] = [];
    const all: Data[] = ["skills", "rules", "models", "runs"];
    const ends = all.map((each) => onChange(each, () => data.push(each)));
    return { data, end: () => ends.forEach((end) => end()) };
}

it("says what a command changed before its answer is there, and nothing of one that only reads", async () => {
    const { data, end } = heard();
    await host.call("skill_list", {});
    expect(data).toEqual([]);
    const done = host.call("folder_close", { path: "/home/ada/work/skills" }).then(() => [...data]);
    expect(await done).toEqual(["skills"]);
    await host.call("run_pin", { run: "run-2", pinned: true });
    expect(data).toEqual(["skills", "runs"]);
    end();
    await host.call("run_pin", { run: "run-2", pinned: false });
    expect(data).toEqual(["skills", "runs"]);
});

it("says it of a command that failed too: a part may be done", async () => {
    const fake = fakeHost();
    fake.on("file_move", () => Promise.reject(new Error("no")));
    setHost(fake);
    const { data, end } = heard();
    await expect(host.call("file_move", { from: "/a", to: "/b" })).rejects.toThrow("no");
    expect(data).toEqual(["skills"]);
    end();
});

it("says of a change on disk that skills, and what the project says of rules, may be others", async () => {
    const fake = fakeHost();
    setHost(fake);
    const { data, end } = heard();
    const pushes: string[] = [];
    const unlisten = await host.listen((push) => pushes.push(push.type));
    fake.push({ type: "runsChanged" });
    fake.push({ type: "filesChanged", paths: [] });
    expect(pushes).toEqual(["runsChanged", "filesChanged"]);
    expect(data).toEqual(["skills", "rules"]);
    unlisten();
    end();
});
