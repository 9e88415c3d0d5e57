package org.railyard.sm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.WireFormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.sample.SampleTorus;
import org.railyard.mad.sa.SaAttributes;
import org.railyard.mad.sa.SaPathRecord;
import org.railyard.mad.transport.MadAddress;
import org.railyard.mad.wire.AttributeType;
import org.railyard.mad.wire.Mad;
import org.railyard.mad.wire.MadMethod;
import org.railyard.mad.wire.MadStatus;
import org.railyard.mad.wire.MgmtClass;
import org.railyard.mad.wire.SaHeader;
import org.railyard.sm.conf.PartitionsConf;
import org.railyard.sm.model.SubnetSnapshot;

/** Whatever is asked, there is an answer within the limits or none, and the next one is answered as always. */
final class SaFuzzTest {
    private static final int ROUNDS = 200;
    private static final int MAX_REQUESTS = 32;
    private static final SaLimits LIMITS = new SaLimits(4096, 8, 4, 6, 4, 6, 4, 4, 5);
    private static final PartitionsConf PARTITIONS =
            PartitionsConf.parse("Default=0x7fff,ipoib : ALL=limited, SELF=full ;\nOne=5,ipoib,sl=8 : ALL_CAS=full ;");
    private static final SubnetSnapshot SNAPSHOT = Snapshots.torus(SampleTorus.torus(2, 2, 1, 1), 1, PARTITIONS);
    private static final Fabric FABRIC = SNAPSHOT.fabric();

    private final SaClient client = new SaClient(
            SaSettings.DEFAULT.withPartitions(PARTITIONS).withLimits(LIMITS).withGroupSls(0x101), SNAPSHOT, 1);

    private void ask(Mad mad, MadAddress from) {
        Optional<Mad> answer = client.sa.answer(mad, from);
        client.sa.checkInvariants();
        answer.ifPresent(one -> {
            assertThat(one.isResponse()).isTrue();
            assertThat(one.length()).isLessThanOrEqualTo(Mad.SA_DATA + LIMITS.answerBytes());
            assertThat(one.get(Mad.TRANSACTION_ID)).isEqualTo(mad.get(Mad.TRANSACTION_ID));
        });
        SaCounters counters = client.sa.counters();
        assertThat(counters.memberships()).isLessThanOrEqualTo(LIMITS.memberships());
        assertThat(counters.services()).isLessThanOrEqualTo(LIMITS.services());
        assertThat(counters.subscriptions()).isLessThanOrEqualTo(LIMITS.subscriptions());
    }

    private void isAlive() {
        Mad path = Mad.sa(MadMethod.GET, SaPathRecord.TYPE, SaPathRecord.DLID.mask() | SaPathRecord.SLID.mask());
        path.data(SaPathRecord.TYPE)
                .set(SaPathRecord.SLID, FABRIC.lid(SNAPSHOT.smPort()))
                .set(SaPathRecord.DLID, FABRIC.lid(FABRIC.portIndex(FABRIC.switchCount() + 1, 1)));
        MadAddress manager = MadAddress.gmp(FABRIC.lid(SNAPSHOT.smPort()), 0);
        assertThat(client.sa.answer(path, manager).orElseThrow().status()).isEqualTo(MadStatus.OK);
        client.sa.update(SNAPSHOT);
        client.loop.runFor(1_000_000_000L);
    }

    @FuzzTest
    void anyRequests(byte[] data) throws WireFormatException {
        int from = 0;
        for (int i = 0; i < MAX_REQUESTS && from < data.length; i++) {
            int lid = data[from] & 0xF;
            int size = Math.min(data.length - from, lid == 0 ? 2 * Mad.SIZE : Mad.SIZE);
            byte[] bytes = Arrays.copyOf(Arrays.copyOfRange(data, from, from + size), Math.max(size, Mad.SIZE));
            from += size;
            Mad mad = Mad.over(bytes).set(Mad.BASE_VERSION, 1);
            mad.set(Mad.MGMT_CLASS, MgmtClass.SA).set(Mad.CLASS_VERSION, MgmtClass.SA_VERSION);
            mad.set(Mad.ATTRIBUTE_ID, mad.getInt(Mad.ATTRIBUTE_ID) & 0xFF);
            mad.saHeader().set(SaHeader.SM_KEY, mad.saHeader().get(SaHeader.SM_KEY) & 1);
            ask(mad, MadAddress.gmp(lid, 0));
        }
        isAlive();
    }

    /** Random bytes alone seldom hit a GID: here real ones come often, and every method meets every attribute. */
    @Test
    void everyAttributeMethodAndMask() throws WireFormatException {
        SplittableRandom random = new SplittableRandom(7);
        List<MadMethod> methods =
                List.of(MadMethod.GET, MadMethod.SET, MadMethod.GET_TABLE, MadMethod.GET_MULTI, MadMethod.DELETE);
        for (int round = 0; round < ROUNDS; round++) {
            for (AttributeType<?> type : SaAttributes.ALL) {
                for (MadMethod method : methods) {
                    byte[] bytes = new byte[2 * Mad.SIZE];
                    Mad plain = Mad.sa(method, type, mask(random));
                    System.arraycopy(plain.bytes(), 0, bytes, 0, Mad.SIZE);
                    fill(bytes, random);
                    Mad mad = Mad.over(bytes);
                    mad.set(Mad.ATTRIBUTE_MODIFIER, random.nextInt(4) == 0 ? random.nextLong(1L << 32) : 0);
                    mad.saHeader().set(SaHeader.SM_KEY, random.nextInt(3) == 0 ? SaClient.KEY : 0);
                    ask(mad, MadAddress.gmp(random.nextInt(FABRIC.maxLid() + 2), 0));
                }
            }
        }
        isAlive();
        assertThat(client.sa.counters().answersByStatus())
                .containsKeys(
                        MadStatus.OK,
                        MadStatus.BAD_ATTRIBUTE,
                        MadStatus.SA_INVALID,
                        MadStatus.SA_NO_RECORDS,
                        MadStatus.SA_FEW_COMPONENTS,
                        MadStatus.SA_TOO_MANY,
                        MadStatus.SA_NO_RESOURCES);
        assertThat(client.sa.counters().answersByAttribute()).hasSize(SaAttributes.ALL.size());
    }

    private static long mask(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> random.nextLong();
            default -> {
                long one = 1L << random.nextInt(Long.SIZE);
                yield one | 1L << random.nextInt(Long.SIZE);
            }
        };
    }

    /** Zeros, noise, and GIDs of ports and groups at any multiple of 8. */
    private static void fill(byte[] bytes, SplittableRandom random) {
        int kind = random.nextInt(3);
        for (int at = Mad.SA_DATA; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            int node = random.nextInt(FABRIC.nodeCount());
            long guid = FABRIC.portGuid(FABRIC.portIndex(node, FABRIC.isSwitch(node) ? 0 : 1));
            long value = switch (random.nextInt(5)) {
                case 0 -> 0xFE80_0000_0000_0000L;
                case 1 -> guid;
                case 2 -> 0xFF12_401B_FFFF_0000L;
                case 3 -> random.nextLong();
                default -> random.nextInt(16);
            };
            for (int i = 0; i < Long.BYTES && kind > 0; i++) {
                bytes[at + i] = (byte) (value >>> 8 * (Long.BYTES - 1 - i));
            }
        }
    }
}
