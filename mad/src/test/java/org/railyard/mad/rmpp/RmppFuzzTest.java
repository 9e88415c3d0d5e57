package org.railyard.mad.rmpp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.railyard.base.wire.WireFormatException;
import org.railyard.mad.sa.LinkRecord;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;

/** Whatever a peer sends, the receiver stays within its limits, and the sender ends. */
final class RmppFuzzTest {
    private static final RmppSettings SMALL = new RmppSettings(4, 4096, 4, 4, 1 << 20, 1_000, 3, 3, 100_000);

    /** Header and 12 bytes of RMPP for each datagram. */
    private static final int RECORD = 12;

    @FuzzTest
    void bothEnds(byte[] data) throws WireFormatException {
        List<Mad> replies = new ArrayList<>();
        List<Mad> segments = new ArrayList<>();
        RmppReceiver receiver = new RmppReceiver(SMALL, 0, replies::add);
        RmppSender sender = new RmppSender(
                Mad.sa(MadMethod.GET_TABLE, LinkRecord.TYPE, 0).answer(MadStatus.OK, 3000), SMALL, 0, segments::add);
        for (int at = 0; at + RECORD <= data.length; at += RECORD) {
            byte[] bytes = new byte[Mad.SIZE];
            System.arraycopy(Arrays.copyOfRange(data, at, at + RECORD), 0, bytes, Mad.HEADER, RECORD);
            receiver.received(Mad.over(bytes), at);
            sender.received(Mad.over(bytes.clone()), at);
            sender.run(at);
        }
        Mad whole = receiver.takeMessage();
        assertThat(whole == null || whole.bytes().length <= SMALL.maxBytes()).isTrue();
        assertThat(replies).hasSizeLessThanOrEqualTo(data.length / RECORD + 1);
        sender.run(SMALL.totalNanos());
        assertThat(sender.state()).isNotEqualTo(RmppSender.State.SENDING);
    }
}
