package org.railyard.cli.lab;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.railyard.base.text.DocReader;
import org.railyard.base.text.Spelling;
import org.railyard.cli.text.JsonOption;
import org.railyard.lab.scenario.Library;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code railyard lab show}: the YAML of a scenario, to copy and change. */
@Command(name = "show", description = "Print the YAML of a scenario that comes with the program.")
final class LabShowCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JsonOption json = new JsonOption();

    @Parameters(
            paramLabel = "NAME",
            completionCandidates = ScenarioNames.class,
            description = "A name that 'lab list' shows.")
    private String name = "";

    @Override
    public Integer call() {
        Optional<String> text = Library.text(name);
        if (text.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "found no scenario called '" + name + "'" + Spelling.hint(name, Library.names())
                            + ", expected one of " + String.join(", ", Library.names()));
        }
        json.print(spec.commandLine().getOut(), () -> text.get().lines().toList(), () -> DocReader.mapping(text.get()));
        return 0;
    }
}
