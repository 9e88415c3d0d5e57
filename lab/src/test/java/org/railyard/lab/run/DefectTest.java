package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.railyard.base.yaml.DocumentException;
import org.railyard.lab.check.Violation;
import org.railyard.lab.run.Defects.BlamedSelf;
import org.railyard.lab.run.Defects.DoubleCompletion;
import org.railyard.lab.run.Defects.DuplicateDelivery;
import org.railyard.lab.run.Defects.FalseHealth;
import org.railyard.lab.run.Defects.LateSend;
import org.railyard.lab.run.Defects.LostAck;
import org.railyard.lab.run.Defects.LostCompletion;
import org.railyard.lab.run.Defects.LostEvent;
import org.railyard.lab.run.Defects.LostForward;
import org.railyard.lab.run.Defects.SwappedBytes;
import org.railyard.lab.run.Defects.TwiceTheEvent;
import org.railyard.lab.run.Defects.UntoldArrival;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;

/** Each kind of defect is seen by the checker for it, with the seed that shows it; without a defect, none complains. */
class DefectTest {
    private static final long SEED = 7;

    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    private static RunResult run(Scenario scenario, Interposer seam) {
        return LabRun.run(scenario, SEED, seam, null);
    }

    private static void assertSeen(String checker, String text, Supplier<Interposer> defect) {
        RunResult result = run(Small.scenario(), defect.get());
        assertThat(result.seed()).isEqualTo(SEED);
        assertThat(result.violations())
                .as("%s", result.violations().stream().map(Violation::text).toList())
                .anySatisfy(violation -> {
                    assertThat(violation.checker()).isEqualTo(checker);
                    assertThat(violation.text()).contains(text);
                    assertThat(violation.journal()).isNotEmpty();
                });
        assertThat(run(Small.scenario(), defect.get()).fingerprint()).isEqualTo(result.fingerprint());
    }

    @Test
    void withoutADefectNobodyComplains() {
        assertThat(run(Small.scenario(), Interposer.NONE).violations()).isEmpty();
    }

    @Test
    void aCreditThatDoesNotComeBack() {
        assertSeen("credits", "credits of", LostCompletion::new);
    }

    @Test
    void aRouterBufferThatDoesNotComeBack() {
        RunResult result = run(Library.scenario("two-routers"), new LostForward());
        assertThat(result.violations())
                .anySatisfy(violation -> {
                    assertThat(violation.checker()).isEqualTo("credits");
                    assertThat(violation.text()).contains("router buffers");
                })
                .anySatisfy(violation -> assertThat(violation.text()).contains("router credits of"));
    }

    @Test
    void aMessageThatComesBackTwice() {
        assertSeen("lnd-contract", "given back before", DoubleCompletion::new);
    }

    @Test
    void aMessageThatIsSentAfterItsDeadline() {
        assertSeen("deadline", "", LateSend::new);
    }

    @Test
    void anEventThatIsLost() {
        assertSeen("call", "no outcome", LostEvent::new);
    }

    @Test
    void anEventThatComesTwice() {
        assertSeen("call", "after the event that said unlinked", TwiceTheEvent::new);
    }

    @Test
    void anAnswerThatIsLostWithoutATimeout() {
        assertSeen("call", "the answer is lost", LostAck::new);
    }

    @Test
    void aMessageThatIsDeliveredTwice() {
        assertSeen("delivery", "twice", DuplicateDelivery::new);
    }

    @Test
    void bytesInTheWrongOrder() {
        assertSeen("delivery", "other bytes", SwappedBytes::new);
    }

    @Test
    void aStatusThatContradictsItself() {
        assertSeen("lnd-contract", "expected both", FalseHealth::new);
    }

    @Test
    void aMessageThatArrivesAndIsNotCounted() {
        assertSeen("conservation", "messages received and", UntoldArrival::new);
    }

    @Test
    void healthThatDoesNotComeBack() {
        Scenario broken = Small.scenario("put, get", "{at: 1s, link_down: {node: server, device: eth1}}");
        assertThat(run(broken, Interposer.NONE).violations()).anySatisfy(violation -> {
            assertThat(violation.checker()).isEqualTo("health");
            assertThat(violation.text()).contains("server-1 has its own");
        });
    }

    @Test
    void anNiThatPaysForDeadPeers() {
        assertThat(run(Library.scenario("dead-peers"), new BlamedSelf()).violations())
                .anySatisfy(violation -> {
                    assertThat(violation.checker()).isEqualTo("own-nis");
                    assertThat(violation.text()).contains("has its own NI", "though nothing of its own broke");
                });
    }

    @Test
    void anNiThatPaysForDeadPeersAsTheDocumentsSay() throws DocumentException {
        String text = Library.text("dead-peers")
                .orElseThrow()
                .replace(
                        "transaction_timeout: 10}",
                        "transaction_timeout: 10}\n      java: {compat_profile: documents}");
        assertThat(run(ScenarioReader.read("dead-peers", text), Interposer.NONE).violations())
                .anySatisfy(violation -> assertThat(violation.checker()).isEqualTo("own-nis"));
    }

    @Test
    void whatTheScenarioDoesNotAllow() {
        Scenario lonely = Small.scenario("put", "{at: 0s, crash: {node: server}}");
        assertThat(run(lonely, Interposer.NONE).violations()).anySatisfy(violation -> {
            assertThat(violation.checker()).isEqualTo("expect");
            assertThat(violation.text()).contains("expected at least 20");
        });
    }
}
