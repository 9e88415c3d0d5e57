package org.railyard.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.railyard.control.ConfigOperation;
import org.railyard.control.Dlc;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LnetOperation;
import org.railyard.control.node.NodeDlc;
import org.railyard.lnet.nid.Nid;

/** Changes are made as a whole or not at all, whatever goes wrong, and wait for nothing that changes nothing. */
final class WholeChangeTest {
    private static final ConfigOperation.Import TWO = new ConfigOperation.Import(
            "net: [{net type: tcp, local NI(s): [{nid: 10.0.0.1@tcp}, {nid: 10.0.0.2@tcp}]}]",
            "two.yaml",
            "add",
            false,
            null);

    private static final ConfigOperation.Import TWO_MORE =
            reading("peer: [{primary nid: 10.0.0.7@tcp}, {primary nid: 10.0.0.8@tcp}]", "add", false);

    private final List<Nid> started = new ArrayList<>();
    private final List<Dlc> kept = new ArrayList<>();

    private static ConfigOperation.Import reading(String text, String mode, boolean check) {
        return new ConfigOperation.Import(text, "file.yaml", mode, check, null);
    }

    @Test
    @Timeout(60)
    void pingsOfAFileThatNobodyAnswersHoldUpNobody() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<Map<String, Object>> answer;
        try (NodeDlc dlc = new NodeDlc(new StubMachine(ni -> {}, asked::countDown))) {
            dlc.execute(new LnetOperation.Configure(false, false));
            dlc.execute(TWO);
            dlc.onChange(kept::add);
            answer = CompletableFuture.supplyAsync(
                    () -> dlc.execute(reading("ping: [{primary nid: 10.0.0.9@tcp, timeout: 60}]", "exec", false)));
            asked.await();
            assertThat(dlc.execute(new LnetOperation.Status())).containsEntry("lnet", "configured");
            dlc.execute(new GlobalOperation.Set("retry_count", "4"));
            dlc.execute(TWO_MORE);
            assertThat(answer).isNotDone();
        }
        assertThat(answer.orTimeout(60, TimeUnit.SECONDS).join()).containsOnlyKeys("manage");
        assertThat(kept).as("the two changes").hasSize(2);
    }

    @Test
    void whatOnlyLooksIsDoneWhileAChangeWaitsForItsConfirmation() {
        try (NodeDlc dlc = new NodeDlc(new StubMachine(ni -> {}, () -> {}))) {
            dlc.execute(new LnetOperation.Configure(false, false));
            dlc.execute(new ConfigOperation.Import(TWO.text(), "two.yaml", "add", false, 60));
            assertThat(dlc.execute(reading(TWO.text(), "show", false))).containsKey("net");
            assertThat(dlc.execute(reading("global: {retry_count: 4}", "add", true)))
                    .containsOnlyKeys("check");
            assertThat(dlc.execute(reading("discover: [{primary nid: 0@lo}]", "exec", false)))
                    .containsOnlyKeys("discover");
            assertThat(dlc.execute(new LnetOperation.Status())).containsEntry("waits for confirmation", true);
        }
    }

    @Test
    void aRuleIsOddOnlyWhereNeitherTheFileNorTheNodeHasItsNet() {
        try (NodeDlc dlc = new NodeDlc(new StubMachine(ni -> {}, () -> {}))) {
            dlc.execute(new LnetOperation.Configure(false, false));
            dlc.execute(TWO);
            String more = "net: [{net type: tcp1, local NI(s): [{nid: 10.0.1.1@tcp1}]}]\n";
            assertThat(dlc.execute(reading(more + "udsp: [{src: tcp}, {src: tcp1}]", "add", true)))
                    .containsOnlyKeys("check");
            assertThat(dlc.execute(reading(more + "udsp: [{src: tcp}, {src: tcp1}]", "add", false)))
                    .isEmpty();
            assertThat(dlc.execute(reading("udsp: [{src: tcp2}]", "add", false)))
                    .extractingByKey("warnings", LIST)
                    .containsExactly("file.yaml:1:8: found a rule for tcp2, which orders nothing now, expected a net of"
                            + " this file or of the node");
            assertThat(dlc.execute(reading("udsp: [{idx: 2, src: tcp2}]", "del", false)))
                    .isEmpty();
        }
    }

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
