package org.railyard.cli.lab;

import java.util.Locale;
import org.railyard.base.text.Doc;
import org.railyard.cli.text.JsonOption;
import org.railyard.lab.scenario.Library;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code railyard lab list}: the scenarios that come with the program. */
@Command(name = "list", description = "List the scenarios that come with the program.")
final class LabListCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public void run() {
        json.print(
                spec.commandLine().getOut(),
                () -> Library.names().stream()
                        .map(name -> String.format(Locale.ROOT, "%-18s  %s", name, about(name)))
                        .toList(),
                () -> {
                    Doc doc = new Doc();
                    Library.names().forEach(name -> doc.put(name, about(name)));
                    return doc.map();
                });
    }

    private static String about(String name) {
        return Library.scenario(name).about();
    }
}
