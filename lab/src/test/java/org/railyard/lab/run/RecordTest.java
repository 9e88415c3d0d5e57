package org.railyard.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.lab.observe.Journal;
import org.railyard.lab.observe.JournalKind;
import org.railyard.lab.observe.Outcome;
import org.railyard.lab.observe.Passage;
import org.railyard.lab.observe.RunRecorder;
import org.railyard.lab.scenario.Library;
import org.railyard.lab.scenario.Scenario;
import org.railyard.lnet.wire.MessageType;

class RecordTest {
    private static final int SEED = 3;

    private static RunRecorder record(Scenario scenario) {
        return record(scenario, SEED);
    }

    private static RunRecorder record(Scenario scenario, long seed) {
        RunRecorder recorder = new RunRecorder();
        RunResult result = LabRun.record(scenario, seed, recorder);
        assertThat(result.violations()).isEmpty();
        assertThat(result.fingerprint())
                .as("who looks on changes nothing")
                .isEqualTo(LabRun.run(scenario, seed).fingerprint());
        return recorder;
    }

    @Test
    void whereNothingFailsAllArrives() {
        RunRecorder run = record(Small.scenario());
        assertThat(run.messages())
                .hasSizeGreaterThan(500)
                .allMatch(each -> each.how() == Passage.End.ARRIVED)
                .allMatch(each -> each.end() > each.start() && each.at() != each.from() && each.attempt() == 1)
                .allMatch(each -> run.ownerOf(each.to()) == each.at() && run.ownerOf(each.by()) == each.from());
        assertThat(run.calls())
                .hasSizeGreaterThan(200)
                .allMatch(each -> each.outcome() == Outcome.OK && each.end() > each.start());
        assertThat(run.skipped()).containsOnly(0L);
        assertThat(run.lines()).extracting(Journal.Line::kind).contains(JournalKind.START, JournalKind.END);
    }

    @Test
    void whatDoesNotArriveIsKeptAsWell() {
        RunRecorder run = record(Small.scenario("put", "{at: 500ms, for: 8s, unplug: {node: server-1, device: eth1}}"));
        assertThat(run.messages().stream().filter(each -> each.how() == Passage.End.FAILED))
                .isNotEmpty()
                .allMatch(each -> each.status() < 0 && each.at() == Passage.NOBODY && each.end() > each.start());
        assertThat(run.calls()).anyMatch(each -> each.outcome() == Outcome.TIMED_OUT);
        assertThat(run.lines())
                .extracting(Journal.Line::kind)
                .contains(JournalKind.FAULT, JournalKind.REPAIR, JournalKind.BREAK);
    }

    @Test
    void anotherAttemptIsCounted() {
        // Most messages of a pulled cable wait for it; with this seed one is sent again in time.
        RunRecorder run =
                record(Small.scenario("put", "{at: 500ms, for: 8s, unplug: {node: client-1, device: eth1}}"), 26);
        List<Passage> again = run.messages().stream()
                .filter(each -> each.attempt() == 2 && each.type() == MessageType.PUT)
                .toList();
        assertThat(again).isNotEmpty();
        Passage second = again.getFirst();
        assertThat(run.messages().stream().filter(each -> each.id() == second.id()))
                .anyMatch(each -> each.attempt() == 1 && each.type() == MessageType.PUT && each.status() < 0)
                .anyMatch(each -> each.type() == MessageType.ACK && each.from() == second.at());
    }

    @Test
    void aReplyThatThePeerWritesArrivesAsOthersDo() {
        RunRecorder run = record(Library.scenario("torus-switch-failure"));
        assertThat(run.messages().stream()
                        .filter(each -> each.type() == MessageType.REPLY && each.status() == 0)
                        .filter(each -> each.how() != Passage.End.ARRIVED))
                .isEmpty();
        assertThat(run.messages())
                .anyMatch(each -> each.type() == MessageType.REPLY && each.how() == Passage.End.ARRIVED);
    }
}
