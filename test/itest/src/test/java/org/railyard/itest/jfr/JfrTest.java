package org.railyard.itest.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.railyard.itest.kit.Await;
import org.railyard.itest.kit.Loopback;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.DropRule;
import org.railyard.lnet.api.FaultFilter;
import org.railyard.lnet.api.FaultKind;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.lnd.HealthStatus;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.testkit.BesideOthers;

/** What two real nodes do, as JDK Flight Recorder has it. */
@BesideOthers
final class JfrTest {
    private static final int PORTAL = 40;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String HERE = "127.0.54.1@tcp";
    private static final String THERE = "127.0.54.2@tcp";
    private static final String THERE_TOO = "127.0.55.2@tcp";

    private final List<RecordedEvent> recorded = new CopyOnWriteArrayList<>();

    /** Other tests of this JVM are recorded as well: only what has one of our NIDs counts. */
    private List<RecordedEvent> events(String type, String field) {
        return recorded.stream()
                .filter(each -> each.getEventType().getName().equals("railyard." + type))
                .filter(each -> {
                    String text = each.getString(field);
                    return text != null && (text.startsWith("127.0.54.") || text.startsWith("127.0.55."));
                })
                .toList();
    }

    private static void put(LNet from, int length) {
        from.put(ProcessId.of(Nid.parse(THERE)), PORTAL, 5, Arena.ofAuto().allocate(length), LIMIT)
                .toCompletableFuture()
                .join();
    }

    @Test
    void twoNodes() {
        int port = Loopback.freePort();
        try (RecordingStream stream = new RecordingStream()) {
            for (String each : List.of("Message", "Resend", "HealthChange", "Discovery")) {
                stream.enable("railyard." + each);
            }
            stream.setReuse(false);
            stream.onEvent(recorded::add);
            stream.startAsync();
            try (LNet here = Loopback.node(port, HERE, "127.0.55.1@tcp");
                    LNet there = Loopback.node(port, THERE, THERE_TOO)) {
                there.attach(
                        MeConfig.of(PORTAL, 5),
                        MdConfig.of(Arena.ofAuto().allocate(1 << 16))
                                .withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE));
                here.discover(Nid.parse(THERE), false).toCompletableFuture().join();
                put(here, 4096);
                failSome(here);
            }
            Await.until(
                    () -> "all events, instead of " + recorded,
                    () -> !events("HealthChange", "nid").isEmpty()
                            && !events("Resend", "ni").isEmpty());
        }
        assertThat(events("Discovery", "peer")).anySatisfy(each -> {
            assertThat(each.getString("peer")).isEqualTo(THERE);
            assertThat(each.getInt("nids")).isEqualTo(2);
            assertThat(each.getInt("status")).isZero();
            assertThat(each.getDuration("took")).isPositive();
        });
        assertThat(events("Message", "ni")).anySatisfy(each -> {
            assertThat(each.getBoolean("sent")).isTrue();
            assertThat(each.getString("type")).isEqualTo("PUT");
            assertThat(each.getInt("length")).isEqualTo(4096);
            assertThat(each.getInt("status")).isZero();
            assertThat(each.getDuration("took")).isPositive();
        });
        assertThat(events("Message", "ni")).anySatisfy(each -> {
            assertThat(each.getBoolean("sent")).isFalse();
            assertThat(each.getInt("length")).isEqualTo(4096);
        });
        assertThat(events("Message", "ni")).anySatisfy(each -> {
            assertThat(each.getString("health")).isEqualTo("REMOTE_DROPPED");
            assertThat(each.getInt("attempt")).isEqualTo(1);
        });
        assertThat(events("Resend", "ni")).anySatisfy(each -> {
            assertThat(each.getInt("attempt")).isEqualTo(2);
            assertThat(each.getString("failedPeerNi")).isNotEqualTo(each.getString("peerNi"));
            assertThat(each.getString("health")).isEqualTo("REMOTE_DROPPED");
        });
        assertThat(events("HealthChange", "nid")).anySatisfy(each -> {
            assertThat(each.getBoolean("local")).isFalse();
            assertThat(each.getString("nid")).isEqualTo(THERE);
            assertThat(each.getInt("before")).isEqualTo(1000);
            assertThat(each.getInt("now")).isEqualTo(900);
        });
    }

    /** Nothing gets through to one NID of the peer: of two messages at least one tries it, and goes to the other. */
    private static void failSome(LNet here) {
        FaultFilter toFirst =
                FaultFilter.of(Nid.ANY, Nid.parse(THERE)).withPortals(PORTAL).withRate(1);
        here.faults().add(DropRule.of(toFirst).withHealthErrors(Set.of(HealthStatus.REMOTE_DROPPED)));
        put(here, 512);
        put(here, 512);
        here.faults().delete(FaultKind.DROP, Nid.ANY, Nid.ANY);
    }
}
