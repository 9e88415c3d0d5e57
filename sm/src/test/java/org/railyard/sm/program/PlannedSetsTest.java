package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.railyard.fabric.format.FormatException;
import org.railyard.mad.smp.LinearForwardingTable;

/** A plan in a file. */
class PlannedSetsTest {
    private static final String KEY = "0000000000000010 0019 00000000 0123456789abcdef01234567";

    private final Ring ring = new Ring();

    private Update update(int port) {
        LinearForwardingTable table = LinearForwardingTable.TYPE.create().set(LinearForwardingTable.PORTS, 1, port);
        return Update.of(ring.nodes.getFirst(), 0, LinearForwardingTable.TYPE, 0, table, _ -> {});
    }

    private static PlannedSets of(Update... updates) {
        PlannedSets plan = new PlannedSets();
        for (Update update : updates) {
            plan.add(update);
        }
        return plan;
    }

    @Test
    void aFileIsThePlan() {
        PlannedSets plan = of(update(1), update(2));
        assertThat(PlannedSets.parse(plan.text()).text()).isEqualTo(plan.text());
        assertThat(plan.text()).contains(" S-0: SMP-D Set LinearForwardingTable");
        assertThat(plan.differences(of(update(2), update(1)))).isEmpty();
    }

    @Test
    void whatDiffersIsNamed() {
        assertThat(of(update(1)).differences(of(update(2))))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("not planned: S-0: SMP-D Set LinearForwardingTable");
    }

    /** Somebody may have cut the names off. */
    @Test
    void withoutNameTheNodeIsNamed() {
        String head = of().text();
        PlannedSets bare = PlannedSets.parse(head + KEY + "\n");
        assertThat(bare.differences(of())).containsExactly("planned, and not needed: node 0000000000000010");
        PlannedSets named = PlannedSets.parse(head + KEY + " name\n");
        assertThat(named.differences(of())).containsExactly("planned, and not needed: name");
        assertThat(named.differences(bare)).isEmpty();
    }

    @Test
    void whatIsNoPlanIsRefusedWithItsLine() {
        assertThatThrownBy(() -> PlannedSets.parse(""))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("as sm plan --save writes it");
        assertThatThrownBy(() -> PlannedSets.parse("something\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("something");
        assertThatThrownBy(() -> PlannedSets.parse(of().text() + KEY + "\nrubbish\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("3")
                .hasMessageContaining("rubbish");
    }

    /** What is carried out only in thought leaves nodes as they are. */
    @Test
    void aCheckedRunIsAsDryAsTheOneThatItLeavesTheSendingTo() {
        assertThat(new OnlyPlanned(new DryRun(_ -> {}), of()).isDry()).isTrue();
    }
}
