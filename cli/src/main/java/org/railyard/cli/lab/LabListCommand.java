package org.railyard.cli.lab;

import java.io.PrintWriter;
import java.util.Locale;
import org.railyard.lab.scenario.Library;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code railyard lab list}: the scenarios that come with the program. */
@Command(name = "list", description = "List the scenarios that come with the program.")
final class LabListCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (String name : Library.names()) {
            out.printf(Locale.ROOT, "%-18s  %s%n", name, Library.scenario(name).about());
        }
        out.flush();
    }
}
