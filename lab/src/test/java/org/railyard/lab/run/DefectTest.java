package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.railyard.base.yaml.DocumentException;
import org.railyard.lab.check.Violation;
import org.railyard.lab.run.Defects.BlamedSelf;
import org.railyard.lab.run.Defects.DoubleCompletion;
import org.railyard.lab.run.Defects.DuplicateDelivery;
import org.railyard.lab.run.Defects.EarlyReturn;
import org.railyard.lab.run.Defects.EarlyUnlink;
import org.railyard.lab.run.Defects.FalseHealth;
import org.railyard.lab.run.Defects.LateSend;
import org.railyard.lab.run.Defects.LostAck;
import org.railyard.lab.run.Defects.LostCompletion;
import org.railyard.lab.run.Defects.LostEvent;
import org.railyard.lab.run.Defects.LostForward;
import org.railyard.lab.run.Defects.OtherPlace;
import org.railyard.lab.run.Defects.OtherStretch;
import org.railyard.lab.run.Defects.SwappedBytes;
import org.railyard.lab.run.Defects.TwiceTheEvent;
import org.railyard.lab.run.Defects.UntoldArrival;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lab.scenario.ScenarioReader;
import org.railyard.lnet.nid.Nid;

/** Each kind of defect is seen by the checker for it, with the seed that shows it; without a defect, none complains. */
class DefectTest {
    private static final long SEED = 7;

    @BeforeAll
    static void quiet() {
        StackLog.silence();
    }

    private static RunResult run(Scenario scenario, Interposer interposer) {
        return LabRun.run(scenario, SEED, interposer, null);
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

    /** A defect in the state of a node is seen as a broken invariant. */
    private static void assertBroken(String text, Planted.Damage damage) {
        assertBroken(run(Small.scenario(), Planted.with(damage)), text);
    }

    private static void assertBrokenOnARouter(String text, Planted.Damage damage) {
        assertBroken(run(Library.scenario("two-routers"), Planted.onARouter(damage)), text);
    }

    private static void assertBroken(RunResult result, String text) {
        assertThat(result.violations())
                .as("%s", result.violations().stream().map(Violation::text).toList())
                .anySatisfy(violation -> {
                    // What the stack asserts itself ends the run.
                    assertThat(violation.checker()).isIn("invariants", "crash");
                    assertThat(violation.text()).contains("invariant broken", text);
                });
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
    void memoryThatIsGivenBackTooEarly() {
        assertSeen("memory", "an LND still has 1 of its messages", EarlyReturn::new);
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

    /** Where references to the pattern stand for bytes, too. */
    @Test
    void otherBytesThanThoseOfTheDescriptor() {
        assertSeen("delivery", "other bytes", OtherStretch::new);
        assertSeen("delivery", "other bytes", OtherPlace::new);
    }

    @Test
    void aStatusThatContradictsItself() {
        assertSeen("lnd-contract", "expected both", FalseHealth::new);
    }

    @Test
    void aMessageThatArrivesAndIsNotCounted() {
        assertSeen("conservation", "messages received and", UntoldArrival::new);
    }

    /** It counts as dropped where it should have left (spec 10 §7), and nobody handed it over. */
    @Test
    void aMessageThatWaitsForACreditUntilItIsTooLateIsNoDefect() throws DocumentException {
        String yaml = """
            rails:
              blue: {latency: 20us}
            nodes:
              client:
                devices: {eth0: blue}
                config: &config
                  net:
                    - net type: tcp
                      local NI(s):
                        - interfaces: {0: eth0}
                          tunables: {peer_credits: 1, credits: 1}
                  global: {transaction_timeout: 5}
              server:
                devices: {eth0: blue}
                config: *config
            load:
              - {from: client, to: server, do: [put], size: 64KiB, concurrency: 8, rate: 100/s, start: 200ms, for: 2s}
            faults: [{at: 1s, for: 10s, unplug: {node: server, device: eth0}}]
            settle: 60s
            """;
        assertThat(run(ScenarioReader.read("late", yaml), Interposer.NONE).violations())
                .isEmpty();
    }

    /** Its end is all that an application is told of it (spec 10 §16), once its limit has passed and not before. */
    @Test
    void anAnswerThatIsMissingUnderLustreIsNoDefect() throws DocumentException {
        assertThat(run(silent("compat_profile: lustre", "get"), Interposer.NONE).violations())
                .isEmpty();
        assertThat(run(silent("compat_profile: lustre", "get"), new EarlyUnlink())
                        .violations())
                .anySatisfy(violation -> assertThat(violation.text()).contains("UNLINK, though nobody unlinked it"));
    }

    /** Each attempt has the whole limit (spec 10 §15). */
    @Test
    void aMessageThatIsSentAgainUnderLustreIsNoDefect() throws DocumentException {
        assertThat(run(silent("compat_profile: lustre", "bare-put"), Interposer.NONE)
                        .violations())
                .isEmpty();
    }

    /** Everybody asks a server that does not answer. */
    private static Scenario silent(String settings, String kind) throws DocumentException {
        String yaml = """
            rails:
              blue: {latency: 20us}
              green: {latency: 20us}
            nodes:
              client:
                devices: {eth0: blue, eth1: green}
                config: &config
                  net:
                    - net type: tcp
                      local NI(s):
                        - interfaces: {0: eth0}
                          tunables: {peer_credits: 1, credits: 8}
                        - interfaces: {0: eth1}
                          tunables: {peer_credits: 1, credits: 8}
                  global: {transaction_timeout: 5}
                  java: {SETTINGS}
              server:
                devices: {eth0: blue, eth1: green}
                config: *config
            load:
              - {from: client, to: server, do: [KIND], size: 64KiB, concurrency: 8, rate: 100/s, start: 200ms, for: 2s}
            faults:
              - {at: 1s, for: 30s, unplug: {node: server, device: eth0}}
              - {at: 1s, for: 30s, unplug: {node: server, device: eth1}}
            settle: 2min
            """;
        return ScenarioReader.read("silent", yaml.replace("SETTINGS", settings).replace("KIND", kind));
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

    @Test
    void aMessageWithTheRoleOfAnother() {
        assertBroken("to be timed only while it is sent", (node, ni, message) -> {
            Planted.set(
                    message,
                    "role",
                    Planted.get(Planted.get(message, "role").getClass().getEnumConstants(), "7"));
        });
    }

    @Test
    void aMessageWithACreditOfNoPool() {
        assertBroken(
                "a pool of its NI while it has to do with one",
                (node, ni, message) -> Planted.set(message, "credits.niPool", null));
    }

    @Test
    void aMessageThatWaitsInNoQueue() {
        assertBroken("in a queue, if it waits", (node, ni, message) -> {
            Object waiting = Planted.get(message, "waiting");
            Planted.set(message, "waiting", Planted.get(waiting.getClass().getEnumConstants(), "4"));
        });
    }

    @Test
    void aListByDeadlineWithALooseEnd() {
        assertBroken(
                "its last to be the last one linked",
                (node, ni, message) -> Planted.set(node, "responses.byOwnLimit.last", Planted.get(message, "md")));
    }

    @Test
    void aMessageLostFromThePool() {
        assertBroken("each to be in use or in the pool", (node, ni, message) -> Planted.add(node, "messagesInUse", 1));
    }

    @Test
    void aCreditOfAnNiTooMany() {
        assertBroken("at most as many credits as at rest", (node, ni, message) -> {
            Planted.set(ni, "credits.pools.0.value", (int) Planted.get(ni, "credits.max") + 1);
        });
    }

    @Test
    void anNiThatCountsOtherwiseThanItsPools() {
        assertBroken(
                "as many messages with a credit or in line",
                (node, ni, message) -> Planted.set(ni, "credits.outstanding", 0));
    }

    @Test
    void aCreditOfAPeerNiTooMany() {
        assertBroken("at most as many credits as at rest", (node, ni, message) -> {
            Planted.set(
                    message, "path.peerNi.credits.value", (int) Planted.get(message, "path.peerNi.credits.max") + 1);
        });
    }

    @Test
    void aLineForCreditsThatIsLongerThanItIs() {
        assertBroken(
                "no more messages to wait than credits are missing",
                (node, ni, message) -> Planted.add(message, "path.peerNi.credits.waiting.size", 1));
    }

    @Test
    void aQueueThatCountsOtherwiseThanItsMessages() {
        assertBroken(
                "its number to be that of its messages",
                (node, ni, message) -> Planted.add(node, "resends.ready.size", 1));
    }

    @Test
    void aRouterBufferInUseTwice() {
        assertBrokenOnARouter(
                "no more buffers than there are",
                (node, ni, message) -> Planted.add(message, "transit.buffer.pool.used", 1 << 20));
    }

    @Test
    void aRouterBufferThatIsFreeAndNowhere() {
        assertBrokenOnARouter(
                "its number of free buffers to be theirs",
                (node, ni, message) -> Planted.add(message, "transit.buffer.pool.freeCount", 1));
    }

    @Test
    void aRouteThatTheTableDoesNotCount() {
        assertBrokenOnARouter("their number to be theirs", (node, ni, message) -> Planted.add(node, "routes.size", 1));
    }

    @Test
    void twoRoutesToANetByOneNid() {
        Planted.Damage damage = (node, ni, message) -> {
            Map<?, ?> byNet = (Map<?, ?>) Planted.get(node, "routes.byNet");
            List<?> routes = (List<?>) byNet.values().iterator().next();
            Planted.set(routes.getFirst(), "named", Planted.get(routes.getLast(), "named"));
        };
        assertBroken(
                run(Library.scenario("two-routers"), Planted.with(damage)),
                "to be the one route there by the NID that it names");
    }

    @Test
    void aPeerNiMoreThanWell() {
        assertBroken("a health of 0…1000", (node, ni, message) -> Planted.set(message, "path.peerNi.health", 1001));
    }

    @Test
    void aPeerUnderTheNameOfAnother() {
        assertBroken(
                "its primary NID to be one of its own",
                (node, ni, message) -> Planted.set(message, "path.peerNi.peerNet.peer.primaryNid", Nid.LOOPBACK));
    }

    @Test
    void aPeerThatWaitsForAnAnswerToNothing() {
        assertBroken(
                "one ping or push to be outstanding",
                (node, ni, message) -> Planted.set(message, "path.peerNi.peerNet.peer.exchange", "nothing"));
    }

    @Test
    void aDescriptorUsedTooOften() {
        assertBroken("a threshold from -1 on", (node, ni, message) -> Planted.set(message, "md.threshold", -2));
    }

    @Test
    void aPutThatWaitsOnAPortalTwice() {
        assertBroken(
                "its number to be that of its messages",
                (node, ni, message) -> Planted.add(node, "portals.portals.0.delayed.size", 1));
    }

    @Test
    void aDescriptorThatNobodyTimes() {
        assertBroken("their number to be theirs", (node, ni, message) -> Planted.add(node, "responses.size", 1));
    }

    @Test
    @SuppressWarnings("unchecked")
    void aPeerNiInRecoveryWithoutAPlan() {
        assertBroken("a plan for its recovery", (node, ni, message) -> {
            ((Set<Object>) Planted.get(node, "health.peerRecovery")).add(Planted.get(message, "path.peerNi"));
        });
    }

    @Test
    void anNiThatIsNotWellAndThatNobodyPings() {
        assertBroken("to be in recovery while it is not well", (node, ni, message) -> {
            // The one that this message does not go by.
            List<Object> nis = others(node, ni);
            nis.forEach(other -> Planted.set(other, "health", 500));
        });
    }

    @SuppressWarnings("unchecked")
    private static List<Object> others(Object node, Object ni) {
        List<Object> others = new ArrayList<>();
        for (Object net : (List<Object>) Planted.get(node, "nis.nets")) {
            others.addAll((List<Object>) Planted.get(net, "nis"));
        }
        others.remove(ni);
        return others;
    }

    @Test
    void anNiThatFailedAndIsAnnouncedAsUp() {
        assertBroken(
                "to be announced as down while it has failed", (node, ni, message) -> Planted.set(ni, "fatal", true));
    }
}
