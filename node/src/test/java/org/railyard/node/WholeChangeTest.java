package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.railyard.control.ConfigOperation;
import org.railyard.control.Dlc;
import org.railyard.control.LnetOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.lnet.nid.Nid;

/** A change is made as a whole or not at all, whatever goes wrong. */
final class WholeChangeTest {
    private static final ConfigOperation.Import TWO = new ConfigOperation.Import(
            "net: [{net type: tcp, local NI(s): [{nid: 10.0.0.1@tcp}, {nid: 10.0.0.2@tcp}]}]",
            "two.yaml",
            "add",
            false,
            null);

    private final List<Nid> started = new ArrayList<>();
    private final List<Dlc> kept = new ArrayList<>();

    @Test
    void anErrorTakesBackWhatWasDoneBeforeIt() {
        try (NodeDlc dlc = new NodeDlc(new StubMachine(
                ni -> {
                    started.add(ni.nid());
                    if (started.size() == 2) {
                        throw new OutOfMemoryError("direct");
                    }
                },
                () -> {}))) {
            dlc.execute(new LnetOperation.Configure(false, false));
            dlc.onChange(kept::add);
            assertThatThrownBy(() -> dlc.execute(TWO))
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("direct");
            assertThat(started).hasSize(2);
            assertThat(Objects.requireNonNull(dlc.lnet()).nids()).isEmpty();
            assertThat(kept).isEmpty();
            dlc.execute(TWO);
            assertThat(Objects.requireNonNull(dlc.lnet()).nids()).hasSize(2);
        }
    }
}
