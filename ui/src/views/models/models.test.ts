import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { setLocale } from "../../i18n";
import { launch } from "../../state/launch.svelte";
import { models } from "../../state/models.svelte";
import { startPushes } from "../../state/pushes";
import { toasts } from "../../state/toasts.svelte";
import ModelField from "../run/ModelField.svelte";
import ModelsView from "./ModelsView.svelte";

let fake: FakeHost;

beforeEach(async () => {
    fake = fakeHost();
    setHost(fake);
    models.pick({ type: "new" });
    models.revert();
    toasts.list = [];
    await startPushes();
    await models.show();
    render(ModelsView);
});

const rows = () => screen.getAllByTestId("model-row").map((row) => row.dataset.model);
const type = (testid: string, value: string) => fireEvent.input(screen.getByTestId(testid), { target: { value } });
const click = (testid: string) => fireEvent.click(screen.getByTestId(testid));
const checks = () => screen.queryAllByTestId("check").map((check) => [check.dataset.kind, check.dataset.state]);

async function begin(preset: string): Promise<void> {
    await click("model-add");
    const found = screen.getAllByTestId("model-preset").find((each) => each.dataset.preset === preset);
    await fireEvent.click(found ?? document.body);
}

describe("the models", () => {
    it("tells where the requests of each go", async () => {
        await screen.findByText("Requests go to https://api.openai.com/v1/chat/completions");
        await type("model-address", "https://example.com/v1");
        await screen.findByText("Requests go to https://example.com/v1/chat/completions");
        await fireEvent.change(screen.getByTestId("model-provider"), { target: { value: "anthropic" } });
        await screen.findByText("Requests go to https://example.com/v1/messages");
        await click("model-revert");
        await screen.findByText("Requests go to https://api.openai.com/v1/chat/completions");
    });

    it("lists them, the first one open", () => {
        expect(rows()).toEqual(["gpt", "local"]);
        expect(screen.getByTestId("model-form").dataset.model).toBe("gpt");
        expect(screen.getByTestId("model-save")).toHaveProperty("disabled", true);
    });

    it("adds one from a preset and opens it", async () => {
        await begin("anthropic");
        expect(screen.getByTestId("model-address")).toHaveProperty("value", "https://api.anthropic.com/v1");
        expect(screen.getByTestId("model-name")).toHaveProperty("value", "claude-sonnet-5-5");
        await type("model-id", "claude");
        await click("model-save");
        await waitFor(() => expect(rows()).toEqual(["gpt", "local", "claude"]));
        expect(screen.getByTestId("model-form").dataset.model).toBe("claude");
        await waitFor(() => expect(screen.getByTestId("key-state").dataset.state).toBe("set"));
        const added = fake.calls.find((call) => call.name === "model_add")?.args;
        expect(added).toMatchObject({
            entry: {
                id: "claude",
                provider: "anthropic",
                key: { env: "ANTHROPIC_API_KEY" },
                parameters: { maxTokens: 128_000 },
                prices: { input: 2, output: 10 },
            },
        });
    });

    it("tells what is still to be filled in, and what the preset says of itself, in the language that is on", async () => {
        const notes = () => [...screen.getByTestId("model-notes").children].map((note) => note.textContent);
        await begin("azure-openai");
        await waitFor(() =>
            expect(notes()).toEqual([
                "Replace {resource} with your own: Name of your Azure OpenAI resource, as in its endpoint, e.g. my-company",
                "The model is the name of your deployment. The protocol may be OpenAI Responses too.",
            ]),
        );
        await type("model-address", "https://my-company.openai.azure.com/openai/v1");
        await waitFor(() =>
            expect(notes()).toEqual(["The model is the name of your deployment. The protocol may be OpenAI Responses too."]),
        );
        setLocale("zh-CN");
        await waitFor(() => expect(notes()).toEqual(["模型填部署的名称。协议也可以选 OpenAI Responses。"]));
        setLocale("en");
        await type("model-address", "https://example.com/v1");
        await waitFor(() => expect(screen.queryByTestId("model-notes")).toBeNull());
    });

    it("tells what is missing once it is to be saved, and writes nothing", async () => {
        await begin("");
        expect(screen.queryByText("Required")).toBeNull();
        await click("model-save");
        expect(screen.getAllByText("Required")).toHaveLength(2);
        expect(fake.calls.some((call) => call.name === "model_add")).toBe(false);
    });

    it("goes to the first field that is wrong, be it saved, tried or asked for its models", async () => {
        await begin("azure-openai");
        for (const button of ["model-save", "trial-start", "model-ask"]) {
            screen.getByTestId(button).focus();
            await click(button);
            await waitFor(() => expect(document.activeElement, button).toBe(screen.getByTestId("model-address")));
        }
    });

    it("can list models before one is named", async () => {
        await begin("ollama");
        await click("model-ask");
        await waitFor(() => expect(screen.getByText("2 models found: choose one in the field")).toBeTruthy());
        expect(screen.queryByText("Required")).toBeNull();
    });

    it("keeps what was typed while another one is looked at, and can discard it", async () => {
        await type("model-name", "gpt-5");
        await fireEvent.click(screen.getAllByTestId("model-row")[1] ?? document.body);
        expect(screen.getByTestId("model-name")).toHaveProperty("value", "smollm2");
        await fireEvent.click(screen.getAllByTestId("model-row")[0] ?? document.body);
        expect(screen.getByTestId("model-name")).toHaveProperty("value", "gpt-5");
        await click("model-revert");
        expect(screen.getByTestId("model-name")).toHaveProperty("value", "gpt-4o-mini");
    });

    it("keeps the draft when the file was changed meanwhile, and says so", async () => {
        fake.on("model_update", () => {
            throw { code: "conflict", message: "models.yaml was changed meanwhile", hint: null, path: null, why: null };
        });
        await type("model-name", "gpt-5");
        await click("model-save");
        await waitFor(() => expect(toasts.list).toHaveLength(1));
        expect(screen.getByTestId("model-name")).toHaveProperty("value", "gpt-5");
    });

    it("removes one after a question", async () => {
        await click("model-remove");
        await click("model-remove-confirm");
        await waitFor(() => expect(rows()).toEqual(["local"]));
    });

    it("asks the server for its models", async () => {
        await click("model-ask");
        await waitFor(() => expect(screen.getByText("2 models found: choose one in the field")).toBeTruthy());
        await type("model-name", "qwen3-8b");
        expect(screen.getByTestId("model-context")).toHaveProperty("value", "32768");
    });
});

it("does not take the name of a variable for a program", async () => {
    await click("key-source-command");
    expect(screen.getByTestId("key-name")).toHaveProperty("value", "");
    await type("key-name", "vault\nread");
    await click("model-save");
    await waitFor(() => expect(fake.calls.some((call) => call.name === "model_update")).toBe(true));
    const saved = fake.calls.find((call) => call.name === "model_update")?.args;
    expect(saved).toMatchObject({ entry: { id: "gpt", key: { command: ["vault", "read"] } } });
});

describe("a key in the keyring", () => {
    it("goes to the keyring alone, and its field is emptied", async () => {
        await click("key-source-keyring");
        await type("key-name", "openai");
        await waitFor(() => expect(screen.getByTestId("key-state").dataset.state).toBe("missing"));
        await type("key-secret", "sk-secret");
        await click("key-set");
        await waitFor(() => expect(screen.getByTestId("key-state").dataset.state).toBe("set"));
        await waitFor(() => expect(screen.getByTestId("key-secret")).toHaveProperty("value", ""));
        const others = fake.calls.filter((call) => call.name !== "key_set");
        expect(JSON.stringify(others)).not.toContain("sk-secret");
    });
});

describe("a test of the connection", () => {
    it("stops where the key is missing and says what to do", async () => {
        await click("trial-start");
        await waitFor(() => expect(screen.getByTestId("trial").dataset.verdict).toBe("failed"));
        expect(checks()).toEqual([
            ["reach", "passed"],
            ["tls", "passed"],
            ["key", "failed"],
            ["model", "skipped"],
            ["answer", "skipped"],
            ["stream", "skipped"],
            ["tool", "skipped"],
        ]);
        expect(screen.getByText("https://api.openai.com/v1/models answered 401: Incorrect API key provided")).toBeTruthy();
        expect(screen.getByText("Check that the key is the right one for this server and may use this model.")).toBeTruthy();
        expect(screen.queryByText("The message in English")).toBeNull();
    });

    it("keeps the message as it came, beside what the server said, where another language is on", async () => {
        setLocale("zh-CN");
        await click("trial-start");
        const failed = await screen.findByText("https://api.openai.com/v1/models 返回 401：Incorrect API key provided");
        expect(failed.parentElement?.querySelector("[lang=en]")?.textContent).toBe(
            "https://api.openai.com/v1/models answered 401: Incorrect API key provided",
        );
        setLocale("en");
    });

    it("tries what stands in the form, and marks the result once that changes", async () => {
        await fireEvent.click(screen.getAllByTestId("model-row")[1] ?? document.body);
        await click("trial-start");
        await waitFor(() => expect(screen.getByTestId("trial").dataset.verdict).toBe("warned"));
        expect(screen.queryByText("Changed since it was tested")).toBeNull();
        await type("model-name", "other");
        expect(screen.getByText("Changed since it was tested")).toBeTruthy();
    });

    it("shows the checks as they end, and can be stopped", async () => {
        let test = "";
        fake.on("model_test", (args) => {
            test = args.test;
            return new Promise(() => undefined);
        });
        await click("trial-start");
        fake.push({
            type: "modelCheck",
            test,
            check: {
                kind: "reach",
                state: "passed",
                found: { type: "connects", host: "x", port: 443 },
                advice: null,
                text: "there",
                hint: null,
                raw: null,
                took: 3,
            },
        });
        await waitFor(() => expect(checks()[0]).toEqual(["reach", "passed"]));
        expect(checks()[1]).toEqual(["tls", "waiting"]);
        await click("trial-stop");
        expect(fake.calls.at(-1)?.name).toBe("model_test_stop");
    });
});

describe("what is on this machine", () => {
    it("is offered by its name as long as there is no model, and begins one", async () => {
        const rehearsal = (await fake.call("model_list", {})).models.filter((model) => model.rehearsal);
        fake.on("model_list", () => ({ models: rehearsal, path: "/config/models.yaml", version: null, error: null, errorZh: null }));
        fake.on("model_offers", () => [
            { preset: "anthropic", keyEnv: "ANTHROPIC_API_KEY" },
            { preset: "ollama", keyEnv: null },
        ]);
        await launch.load();
        render(ModelField, { launch });
        const offers = screen.getAllByTestId("model-offer");
        expect(offers.map((offer) => offer.textContent)).toEqual([
            "ANTHROPIC_API_KEY is set: set up a model with it",
            "Ollama runs on this machine: set up a model with it",
        ]);
        const [first] = offers;
        if (first === undefined) {
            throw new Error("nothing is offered");
        }
        await fireEvent.click(first);
        await waitFor(() => expect(models.picked).toEqual({ type: "new" }));
        expect(models.draft).toMatchObject({ provider: "anthropic", keySource: "env", keyName: "ANTHROPIC_API_KEY" });
    });
});
