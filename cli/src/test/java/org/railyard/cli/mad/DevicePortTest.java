package org.railyard.cli.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

final class DevicePortTest {
    private static final Optional<Integer> NONE = Optional.empty();

    @Test
    void aDeviceMayNameItsPort() {
        DevicePort first = new DevicePort(Optional.of("mlx5_0"), Optional.of(1));
        assertThat(DevicePort.of("mlx5_0:1", NONE)).isEqualTo(first);
        assertThat(DevicePort.of("mlx5_0", Optional.of(1))).isEqualTo(first);
        assertThat(DevicePort.of("mlx5_0:1", Optional.of(1))).isEqualTo(first);
        assertThat(DevicePort.of("mlx5_0", NONE)).isEqualTo(new DevicePort(Optional.of("mlx5_0"), NONE));
        assertThat(DevicePort.of("any", NONE)).isEqualTo(new DevicePort(Optional.empty(), NONE));
        assertThat(DevicePort.of("any:2", NONE)).isEqualTo(new DevicePort(Optional.empty(), Optional.of(2)));
    }

    @Test
    void twoPortsAreRefused() {
        CommandLine command = new CommandLine(CommandSpec.create());
        assertThatThrownBy(() -> DevicePort.of(command, "mlx5_0:1", Optional.of(2)))
                .isInstanceOf(ParameterException.class)
                .hasMessage("--device mlx5_0:1 and --port 2 name different ports");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "mlx5_0:", "mlx5_0:x", "mlx5_0:0", "mlx5_0:255", "mlx5_0:-1"})
    void whatIsNoPort(String text) {
        assertThatThrownBy(() -> DevicePort.of(text, NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected NAME or NAME:PORT");
    }
}
