package org.railyard.lnet.portal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.model.MatchEntry;
import org.railyard.lnet.model.MemoryDescriptor;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.nid.Nid;

class PortalTest {
    private static final int BYTES = 100;
    private static final long BITS = 5;
    private static final int PID = 12345;
    private static final Nid HERE = Nid.parse("10.0.0.1@tcp");
    private static final Nid ELSEWHERE = Nid.parse("10.0.1.1@tcp1");

    private final Portal portal = new Portal(4);

    private MatchEntry attach(MdConfig md, @Nullable Predicate<Nid> destinations) {
        MatchEntry entry = new MatchEntry(MeConfig.of(4, BITS), new MemoryDescriptor(md, gone -> {}), destinations);
        portal.attach(entry);
        return entry;
    }

    private static MdConfig config() {
        return MdConfig.of(Arena.global().allocate(BYTES)).withOptions(MdOption.OP_PUT);
    }

    private Portal.Outcome put(int bytes, Nid to) {
        Message message = new Message();
        message.header().setPut(bytes, Wire.NO_COOKIE, Wire.NO_COOKIE, 4, BITS, 0, 0);
        message.header().setRoute(to, PID, ELSEWHERE, PID);
        return portal.match(message, Nid::equals);
    }

    @Test
    void anEntryThatIsExhaustedLeavesIfItIsToGoByItself() {
        MatchEntry goes = attach(config().withThreshold(2).withAutoUnlink(), null);
        MatchEntry stays = attach(config().withThreshold(1), null);
        assertThat(put(10, HERE)).isEqualTo(Portal.Outcome.MATCHED);
        assertThat(goes.attached).as("once more").isTrue();
        assertThat(put(10, HERE)).isEqualTo(Portal.Outcome.MATCHED);
        assertThat(goes.attached).isFalse();
        assertThat(stays.before).as("the first now").isNull();
        assertThat(put(10, HERE)).isEqualTo(Portal.Outcome.MATCHED);
        assertThat(stays.attached).as("until it is unlinked").isTrue();
        assertThat(put(10, HERE)).isEqualTo(Portal.Outcome.NO_MATCH);
    }

    @Test
    void anEntryMayTakeOnlyWhatIsSentToSomeNids() {
        attach(config(), HERE::equals);
        assertThat(put(10, ELSEWHERE)).isEqualTo(Portal.Outcome.NO_MATCH);
        assertThat(put(10, HERE)).isEqualTo(Portal.Outcome.MATCHED);
    }

    @Test
    void whatFillsADescriptorToItsEndFits() {
        MatchEntry entry = attach(config(), null);
        assertThat(put(BYTES, HERE)).isEqualTo(Portal.Outcome.MATCHED);
        assertThat(put(1, HERE)).isEqualTo(Portal.Outcome.TOO_LONG);
        assertThat(put(0, HERE)).isEqualTo(Portal.Outcome.MATCHED);
        assertThat(entry.md().localOffset).isEqualTo(BYTES);
    }
}
