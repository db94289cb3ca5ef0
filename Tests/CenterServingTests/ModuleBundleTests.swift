// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CenterServing

@Suite struct ModuleBundleTests {
    @Test func `modules become blocks in the order in which a browser runs them, each once`() throws {
        let script = try ModuleBundle.script(
            of: "page.js",
            among: [
                "page.js": """
                import { Row, look } from "./row.js";
                import { h as make,
                find } from "./dom.js";
                look(new Row(make, find));
                """,
                "row.js": """
                import { h } from "./dom.js";
                export class Row {
                }
                export async function look(row) {
                }
                """,
                "dom.js": """
                export const h = 1;
                export function find() {}
                """,
                "other.js": "never();",
            ]
        )
        #expect(
            script == """
                const module0 = {};
                {
                const h = 1;
                function find() {}
                Object.assign(module0, { h, find });
                }
                const module1 = {};
                {
                const { h } = module0;
                class Row {
                }
                async function look(row) {
                }
                Object.assign(module1, { Row, look });
                }
                const module2 = {};
                {
                const { Row, look } = module1;
                const { h: make, find } = module0;
                look(new Row(make, find));
                Object.assign(module2, {  });
                }

                """
        )
    }

    @Test func `a pattern exports each of its names`() throws {
        let script = try ModuleBundle.script(
            of: "words.js",
            among: ["words.js": "export const { words, more } = await import(`./words-${language}.js`);"]
        )
        #expect(script.contains("\nconst { words, more } = await import(`./words-${language}.js`);\n"))
        #expect(script.contains("Object.assign(module0, { words, more });"))
    }

    @Test func `a script exports what its own module does, and nothing of the others`() throws {
        let script = try ModuleBundle.script(
            of: "scene.js",
            among: [
                "scene.js": """
                import { h } from "./dom.js";
                export class View {
                }
                export const most = 2;
                """,
                "dom.js": "export const h = 1;",
            ]
        )
        let end = "Object.assign(module1, { View, most });\n}\nexport const { View, most } = module1;\n"
        #expect(script.hasSuffix(end))
        #expect(script.split(separator: "\n").count { $0.hasPrefix("export") } == 1)
    }

    @Test(arguments: [
        (["page.js": #"import { a } from "./gone.js";"#], ModuleBundle.Fault.missing("gone.js")),
        (
            ["page.js": #"import { a } from "./one.js";"#, "one.js": #"import { b } from "./page.js";"#],
            .circle("page.js")
        ),
        (["page.js": #"import "./one.js";"#], .unknown(#"import "./one.js";"#, in: "page.js")),
        (["page.js": #"import { a } from "./one.js""#], .unknown(#"import { a } from "./one.js""#, in: "page.js")),
        (["page.js": "export let changing = 1;"], .unknown("export let changing = 1;", in: "page.js")),
        (["page.js": "export default class {}"], .unknown("export default class {}", in: "page.js")),
    ]) func `what would run otherwise than in a browser is a fault`(
        sources: [String: String],
        fault: ModuleBundle.Fault
    ) {
        #expect(throws: fault) { try ModuleBundle.script(of: "page.js", among: sources) }
    }
}
