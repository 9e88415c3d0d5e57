package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.text.DocReader;

/** With {@code --json} the tool says the same in JSON, a document to a line. */
final class JsonTest extends ConfiguredNode {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "net show -v",
                "global show",
                "stats show",
                "export --backup",
                "doctor --yaml",
                "convert --networks tcp(eth0)"
            })
    void theSameDocumentInALine(String line) {
        world.run("net add --net tcp --if eth0");
        World.Result yaml = world.run(line);
        World.Result json = world.run("--json " + line);
        assertThat(json.exit()).isEqualTo(yaml.exit());
        assertThat(json.out()).startsWith("{\"").endsWith("}\n").hasLineCount(1);
        // Figures may go on between the two: the form is compared.
        assertThat(DocReader.mapping(json.out()).keySet())
                .isNotEmpty()
                .isEqualTo(DocReader.mapping(yaml.out()).keySet());
    }

    @Test
    void theOptionMayStandAtTheEnd() {
        assertThat(world.run("global show --json").out())
                .startsWith("{")
                .isEqualTo(world.run("--json global show").out());
    }

    @Test
    void failuresToo() {
        World.Result refused = world.run("--json net del --net tcp7");
        assertThat(refused.exit()).isEqualTo(234);
        assertThat(refused.err()).startsWith("{").endsWith("}\n").hasLineCount(1);
        assertThat(DocReader.mapping(refused.err())).containsOnlyKeys("del");
        World.Result silent = world.run("--json ping 10.9.9.9@tcp9");
        assertThat(silent.exit()).isEqualTo(255);
        assertThat(DocReader.mapping(silent.out())).containsOnlyKeys("manage");
        assertThat(silent.out()).as("no value, as of railyard ping").startsWith("{\"manage\":[{\"ping\":null,");
    }

    @Test
    void amongCommandsThatAreRead() {
        String lines = "--json\nnet show\nglobal show\n";
        assertThat(world.run("guest1", List.of(), lines).out().lines())
                .hasSize(2)
                .allMatch(line -> !((Map<?, ?>) DocReader.mapping(line)).isEmpty());
        assertThat(world.run("guest1", List.of("--json", "--strict_options"), "net show --bogus\n")
                        .exit())
                .isEqualTo(234);
    }
}
