package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.ErrnoException;

/** Module parameters that a node takes. */
final class ParameterNamesTest {
    private static final Pattern PARAMETER = Pattern.compile("--param '?([a-z0-9_.]+)=");

    @Test
    void ofWhichSomeHaveNoEffect() {
        assertThat(ParameterNames.isWithoutEffect("router_sensitivity_percentage"))
                .isTrue();
        assertThat(ParameterNames.isWithoutEffect("lnet_recovery_interval"))
                .as("the pause between recovery pings without back-off")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ib_mtu", "wrq_sge"})
    void theNameOfATransportIsMissing(String name) {
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(() -> ParameterNames.check(name))
                .withMessageEndingWith(
                        "there is no module parameter '" + name + "'; did you mean o2iblnd." + name + "?");
    }

    @Test
    void parametersOnThePagesAreThere() throws IOException {
        List<String> named = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("..", "docs"))) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".md")).toList()) {
                PARAMETER.matcher(Files.readString(page)).results().forEach(found -> named.add(found.group(1)));
            }
        }
        assertThat(named)
                .contains("o2ibs_conf", "o2iblnd.ib_mtu")
                .allSatisfy(
                        name -> assertThatCode(() -> ParameterNames.check(name)).doesNotThrowAnyException());
    }
}
