package org.railyard.sm.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.mad.smp.GuidInfo;
import org.railyard.sm.discover.FoundSubnet;
import org.railyard.sm.model.PortGuids;

/** Alias GUIDs of ports (spec 41 §2.1(10)). */
class GuidUpdatesTest {
    private static final int HOST = Ring.SWITCHES;

    private final Ring ring = new Ring();
    private final PortGuids wanted = new PortGuids(
            ring.fabric.portGuid(ring.fabric.portIndex(HOST, 1)), 0, List.of(0L, 7L, 0L, 0L, 0L, 0L, 0L, 0L), 1);
    private final GuidUpdates guids = new GuidUpdates(
            new FoundSubnet(ring.fabric, ring.nodes, ring.fabric.portIndex(HOST, 1), List.of(), Ring.SWITCHES),
            ring.fabric,
            List.of(wanted));

    private List<Update> updates() {
        List<Update> all = new ArrayList<>();
        guids.phase().updates().get().forEachRemaining(all::add);
        return all;
    }

    @Test
    void withoutAnAnswerTheyAreWrittenAgain() {
        Update set = updates().getFirst();
        set.accepted().accept(set.mad());
        assertThat(guids.notes()).isEmpty();
        assertThat(updates()).isEmpty();
        set.unsure().run();
        assertThat(updates()).hasSize(1);
    }

    /** A port may refuse GUIDs that it has already. */
    @Test
    void whatIsRefusedIsDoneIfThePortHasThem() {
        Update set = updates().getFirst();
        assertThat(set.reached().test(set.mad())).isTrue();
    }

    @Test
    void aPortThatDoesNotTakeThemIsTold() {
        Update set = updates().getFirst();
        set.accepted().accept(set.mad().copy().setData(GuidInfo.TYPE, GuidInfo.TYPE.create()));
        assertThat(guids.notes())
                .containsExactly("alias GUIDs were not taken by 1 port: H-0[1]; whoever asked for them was told that"
                        + " they are there");
        assertThat(updates()).as("clients may ask for them again").isEmpty();
    }
}
