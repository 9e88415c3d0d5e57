package org.railyard.host.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.host.Traced;
import org.railyard.base.host.Tracer;
import org.railyard.host.RealHost;
import org.railyard.testkit.Allocations;
import org.railyard.testkit.Program;

/** What happens becomes an event of JDK Flight Recorder with all its fields, and costs nothing while nobody records. */
final class JfrTracerTest {
    private static final int ASKED = 1_000_000;

    /** What each event of the recorder has. */
    private static final List<String> OF_ALL = List.of("startTime", "duration", "eventThread", "stackTrace");

    private final Tracer tracer = new RealHost().tracer();

    @TempDir
    private Path dir = Path.of("");

    private static List<Traced> oneOfEach() {
        return List.of(
                new Traced.Message(true, "PUT", "10.0.0.1@tcp", null, 4096, 1500, 2, -110, "LOCAL_TIMEOUT"),
                new Traced.Resend("GET", "ni", "peer", "failed ni", "failed peer", 2, 4, "REMOTE_DROPPED"),
                new Traced.HealthChange(true, "10.0.0.1@tcp", 1000, 900),
                new Traced.Discovery("10.0.0.2@tcp", 3, 77_000, 0),
                new Traced.Retransmission("roce_eth0", 17, 18, 99, 5, "NAK"),
                new Traced.Sweep(7, "trap 128", "DONE", 5_000_000, 400, 27, 30, 1));
    }

    private void traceAll() {
        for (Traced each : oneOfEach()) {
            tracer.trace(each);
        }
    }

    private static Map<String, Object> fields(RecordedEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (ValueDescriptor each : event.getFields()) {
            if (!OF_ALL.contains(each.getName())) {
                fields.put(each.getName(), Objects.toString(event.getValue(each.getName())));
            }
        }
        return fields;
    }

    @Test
    void eachIsRecordedWithAllThatIsKnown() throws IOException {
        List<String> events = new ArrayList<>();
        try (Recording recording = new Recording()) {
            recording.enable("railyard.Message");
            recording.start();
            assertThat(Stream.of(Traced.Kind.values())).allMatch(tracer::wants);
            traceAll();
            recording.stop();
            Path file = dir.resolve("all.jfr");
            recording.dump(file);
            RecordingFile.readAllEvents(file).stream()
                    .filter(each -> each.getEventType().getName().startsWith(JfrTracer.PREFIX))
                    .forEach(each -> events.add(each.getEventType().getName() + " " + fields(each)));
        }
        assertThat(events)
                .containsExactlyInAnyOrder(
                        "railyard.Message {sent=true, type=PUT, ni=10.0.0.1@tcp, peerNi=null, length=4096, took=1500,"
                                + " attempt=2, status=-110, health=LOCAL_TIMEOUT}",
                        "railyard.Resend {type=GET, ni=ni, peerNi=peer, failedNi=failed ni, failedPeerNi=failed peer,"
                                + " attempt=2, attempts=4, health=REMOTE_DROPPED}",
                        "railyard.HealthChange {local=true, nid=10.0.0.1@tcp, before=1000, now=900}",
                        "railyard.Discovery {peer=10.0.0.2@tcp, nids=3, took=77000, status=0}",
                        "railyard.RoceRetransmission {device=roce_eth0, queuePair=17, peerQueuePair=18, psn=99,"
                                + " packets=5, reason=NAK}",
                        "railyard.SubnetSweep {number=7, reason=trap 128, result=DONE, took=5000000, requests=400,"
                                + " switches=27, ends=30, linksDown=1}");
    }

    @Test
    void messagesAreRecordedIfAskedForOnly() {
        try (Recording recording = new Recording()) {
            recording.start();
            assertThat(tracer.wants(Traced.Kind.MESSAGE)).isFalse();
            assertThat(tracer.wants(Traced.Kind.RESEND)).isTrue();
        }
    }

    @Test
    void nobodyRecordsAndNothingIsAllocated() {
        Allocations allocations = new Allocations();
        int wanted = 0;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = allocations.bytes();
            for (int i = 0; i < ASKED; i++) {
                wanted += tracer.wants(Traced.Kind.MESSAGE) ? 1 : 0;
            }
            least = Math.min(least, allocations.bytes() - before);
        }
        assertThat(wanted).isZero();
        assertThat(least).as("bytes for %d questions", ASKED).isLessThan(ASKED);
    }

    /** What asks whether somebody records, and ends. */
    static final class Asker {
        private Asker() {}

        public static void main(String[] args) {
            System.exit(new RealHost().tracer().wants(Traced.Kind.RESEND) ? 1 : 0);
        }
    }

    /** To load it takes longer than to send a ping. */
    @Test
    void withoutARecorderItIsNotLoaded() {
        String loaded = Program.main(Asker.class, List.of("-Xlog:class+load")).run();
        assertThat(loaded)
                .contains(JfrTracer.class.getName() + " ")
                .doesNotContain(ResendEvent.class.getName(), "jdk.jfr.internal.");
    }

    @Test
    void thePageHasEachEventWithAllItsFields() throws IOException {
        String page = Files.readString(page());
        for (Class<? extends Event> each : List.of(
                MessageEvent.class,
                ResendEvent.class,
                HealthChangeEvent.class,
                DiscoveryEvent.class,
                RetransmissionEvent.class,
                SweepEvent.class)) {
            EventType type = EventType.getEventType(each);
            int begin = page.indexOf("### " + type.getName());
            assertThat(begin).as(type.getName()).isPositive();
            int end = page.indexOf("\n### ", begin + 1);
            String section = end < 0 ? page.substring(begin) : page.substring(begin, end);
            for (ValueDescriptor field : type.getFields()) {
                if (!OF_ALL.contains(field.getName())) {
                    assertThat(section).contains("`" + field.getName() + "`");
                }
            }
        }
    }

    /** Returns the page, from the folder of the module or from that of the whole. */
    private static Path page() {
        Path beside = Path.of("..", "docs", "jfr.md");
        return Files.exists(beside) ? beside : Path.of("docs", "jfr.md");
    }
}
