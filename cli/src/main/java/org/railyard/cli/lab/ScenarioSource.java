package org.railyard.cli.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Spelling;
import org.railyard.base.yaml.DocumentException;
import org.railyard.cli.text.FileReason;
import org.railyard.host.WholeText;
import org.railyard.lab.fabric.TorusSettings;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;

/** Finds the scenario that a person names: a file, or one that comes with the program. */
public final class ScenarioSource {
    /** Exit code of a scenario that can not be used. */
    static final int UNUSABLE = 2;

    private ScenarioSource() {}

    /**
     * Reads a scenario, or tells what is wrong with it.
     *
     * @param fidelity what travels on its fabrics; null for what the scenario says
     */
    public static Optional<Scenario> read(String name, TorusSettings.@Nullable Fidelity fidelity, PrintWriter err) {
        try {
            Scenario scenario = ScenarioReader.read(name, text(name));
            return Optional.of(fidelity == null ? scenario : scenario.withFidelity(fidelity));
        } catch (DocumentException e) {
            e.problems().forEach(problem -> err.println("railyard: " + problem));
        } catch (NoSuchFileException e) {
            err.println("railyard: found "
                    + (Files.isDirectory(Path.of(name)) ? "a directory" : "no file")
                    + " and no scenario of the program called '" + name + "'"
                    + Spelling.hint(name, Library.names()) + ", expected a file or one of "
                    + String.join(", ", Library.names()));
        } catch (CharacterCodingException e) {
            err.println("railyard: " + name + ": found bytes that are not UTF-8, expected a scenario in YAML");
        } catch (IOException e) {
            err.println("railyard: " + name + ": cannot be read: " + FileReason.ofReading(e));
        }
        return Optional.empty();
    }

    /**
     * Returns the YAML of a scenario: of a file, else of one that comes with the program.
     *
     * @throws IOException if it can not be read, or there is none
     */
    public static String text(String name) throws IOException {
        Path file = Path.of(name);
        // A folder may be called as a scenario of the program is.
        boolean isFile = Files.exists(file) && !Files.isDirectory(file);
        Optional<String> shipped = isFile ? Optional.empty() : Library.text(name);
        if (shipped.isPresent()) {
            return shipped.get();
        }
        if (Files.isDirectory(file)) {
            throw new NoSuchFileException(name);
        }
        return WholeText.read(file, 4 * ScenarioReader.MAX_CHARACTERS, StandardCharsets.UTF_8);
    }

    /** Returns the lines of a list, indented. */
    static String indent(List<String> lines) {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append("    ").append(line).append(System.lineSeparator()));
        return text.toString();
    }
}
