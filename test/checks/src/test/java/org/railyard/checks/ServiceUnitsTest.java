package org.railyard.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of systemd, which nothing else reads unless systemd runs them. */
final class ServiceUnitsTest {
    private static final List<String> SERVICES = List.of("lnetd", "railyard-sm");

    private static final Pattern STATE = Pattern.compile("/var/lib/([^/ ]+)/");

    private static String unit(String folder, String service) {
        try {
            return Files.readString(SourceTree.root().resolve(folder).resolve(service + ".service"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<String> values(String unit, String key) {
        return unit.lines().filter(line -> line.startsWith(key + "=")).map(line -> line.substring(key.length() + 1));
    }

    /** systemd gives a folder to the user of the unit that started last, and removes it with the first that ends. */
    @ParameterizedTest
    @ValueSource(strings = {"dist/service", "dist/packages/deb"})
    void servicesShareNoFolder(String folder) {
        for (String key : List.of("RuntimeDirectory", "StateDirectory")) {
            List<String> all = SERVICES.stream()
                    .flatMap(service -> values(unit(folder, service), key))
                    .toList();
            assertThat(all).as(key).hasSameSizeAs(SERVICES).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dist/service", "dist/packages/deb"})
    void filesAndSocketsAreInTheFoldersOfTheirUnit(String folder) {
        for (String service : SERVICES) {
            String unit = unit(folder, service);
            String state = values(unit, "StateDirectory").findFirst().orElseThrow();
            String runtime = values(unit, "RuntimeDirectory").findFirst().orElseThrow();
            assertThat(STATE.matcher(unit).results().map(found -> found.group(1)))
                    .allMatch(state::equals);
            assertThat(values(unit, "Environment").filter(value -> value.contains("SOCKET")))
                    .singleElement()
                    .asString()
                    .contains("=/run/" + runtime + "/");
        }
    }
}
