package org.railyard.cli.lnetctl;

import java.util.List;
import org.railyard.base.text.YamlText;
import org.railyard.control.Failure;

/** Error documents in the shapes that scripts read (spec 12 §1.3). */
final class ErrorText {
    private ErrorText() {}

    /** Of nets, routes, peers, imports: a document of its own, the entity without a value and the rest beside it. */
    static String explicit(Failure failure) {
        StringBuilder text = new StringBuilder("---\n" + failure.verb() + ":\n");
        text.append("-     ").append(failure.entity()).append(":\n");
        text.append("      errno: ").append(failure.errno()).append('\n');
        text.append("      descr: ! ").append(YamlText.quoted(failure.text())).append('\n');
        problems(text, failure.problems());
        return text.append("...\n").toString();
    }

    private static void problems(StringBuilder text, List<String> problems) {
        if (!problems.isEmpty()) {
            text.append("      problems:\n");
            problems.forEach(each ->
                    text.append("      -     ").append(YamlText.quoted(each)).append('\n'));
        }
    }

    /** Of settings, statistics, routing, rules: the pair below the entity. */
    static String nested(Failure failure) {
        return failure.verb() + ":\n    - " + failure.entity() + ":\n          errno: " + failure.errno()
                + "\n          descr: " + YamlText.quoted(failure.text()) + "\n";
    }

    /** Of targets: in one document with the answers. */
    static String target(String entity, Object errno, String descr) {
        return "- " + entity + ":\n  errno: " + errno + "\n  descr: ! '"
                + descr.replace("'", "''").replace("\n", " ") + "'\n";
    }
}
