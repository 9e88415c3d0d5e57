package org.railyard.roce.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.Program;
import org.railyard.verbs.CmRejectReason;

/**
 * What tshark reads in our packets is what was written into them, field by field: in those, too, that no capture of a
 * kernel has, and where a capture read and written again would not show that two fields are in each other's place.
 */
@NeedsCommand("tshark")
final class DissectedPacketsTest {
    private static final UdpRoute ROUTE = new UdpRoute(0x0A00_0001, 4791, 0x0A00_0002, 4791);
    private static final int RAW_IP = 101;
    private static final int FILE_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int IP = 20;
    private static final int UDP = 8;

    /** A packet, names of fields that all begin with {@code infiniband.}, and what tshark is to say of them. */
    private record Expected(byte[] datagram, String fields, String values) {}

    private final List<Expected> all = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    private void expect(Frame frame, String fields, String values) {
        ByteBuffer datagram = frame.finish(ROUTE);
        byte[] bytes = new byte[datagram.remaining()];
        datagram.get(datagram.position(), bytes);
        all.add(new Expected(bytes, fields, values));
    }

    private byte[] capture() {
        int room = FILE_HEADER
                + all.stream()
                        .mapToInt(each -> RECORD_HEADER + IP + UDP + each.datagram.length)
                        .sum();
        ByteBuffer out = ByteBuffer.allocate(room);
        out.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4).putLong(0);
        out.putInt(0xFFFF).putInt(RAW_IP);
        for (Expected each : all) {
            int length = IP + UDP + each.datagram.length;
            out.putLong(0).putInt(length).putInt(length);
            out.putShort((short) 0x4500).putShort((short) length).putInt(0x4000).putInt(0x4011_0000);
            out.putInt(ROUTE.sourceIp()).putInt(ROUTE.destinationIp());
            out.putShort((short) ROUTE.sourcePort()).putShort((short) ROUTE.destinationPort());
            out.putShort((short) (length - IP)).putShort((short) 0).put(each.datagram);
        }
        return out.array();
    }

    @Test
    void saysWhatWasWritten() throws IOException {
        headers();
        requests();
        replies();
        rejects();
        endsOfConnections();
        Path capture = folder.resolve("packets.pcap");
        Files.write(capture, capture());
        List<String> names = all.stream()
                .flatMap(each -> Stream.of(each.fields.split(" ")))
                .distinct()
                .toList();
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-T", "fields"));
        names.forEach(name -> command.addAll(List.of("-e", "infiniband." + name)));
        List<String> lines = Program.of(command).withoutErrors().run().lines().toList();
        assertThat(lines).hasSameSizeAs(all);
        for (int i = 0; i < lines.size(); i++) {
            List<String> values = List.of(lines.get(i).split("\t", -1));
            assertThat(Stream.of(all.get(i).fields.split(" "))
                            .map(name -> values.get(names.indexOf(name)))
                            .collect(Collectors.joining(" ")))
                    .as(all.get(i).fields)
                    .isEqualTo(all.get(i).values);
        }
    }

    private static Frame manager(CmBody body) {
        Frame frame =
                new Frame().begin(Opcode.DATAGRAM, 1, false, false, 0x123456).deth(Deth.MANAGER_KEY, 1);
        new CmMessage(0x1122_3344_5566_7788L, body).write(frame.memory(), frame.payloadOffset());
        return frame.payload(CmMessage.BYTES);
    }

    private static MemorySegment data(int bytes) {
        byte[] data = new byte[bytes];
        data[0] = 0x5A;
        return MemorySegment.ofArray(data);
    }

    private static String hex(MemorySegment data) {
        return HexFormat.of().formatHex(data.toArray(ValueLayout.JAVA_BYTE));
    }

    private void headers() {
        Frame write = new Frame()
                .begin(Opcode.WRITE_ONLY, 0x123456, true, true, 0x654321)
                .reth(0x1122_3344_5566_7788L, 0x99AABBCC, 3)
                .payload(3);
        expect(
                write,
                "bth.opcode bth.se bth.padcnt bth.p_key bth.destqp bth.a bth.psn",
                "10 1 1 65535 0x123456 1 6636321");
        expect(write, "reth.va reth.r_key reth.dmalen", "0x1122334455667788 0x99aabbcc 3");
        expect(acknowledgement(Aeth.ACK), "bth.opcode aeth.syndrome.opcode aeth.msn", "17 0 1193046");
        expect(acknowledgement(Aeth.RECEIVER_NOT_READY | 14), "aeth.syndrome.opcode aeth.syndrome.timer", "1 14");
        expect(acknowledgement(Aeth.ACCESS_ERROR), "aeth.syndrome.opcode aeth.syndrome.error_code", "3 2");
    }

    private static Frame acknowledgement(int syndrome) {
        return new Frame()
                .begin(Opcode.ACKNOWLEDGE, 7, false, false, 9)
                .aeth(syndrome, 0x123456)
                .payload(0);
    }

    /** Without flow label and rate of the path, which tshark 4.0 takes from the wrong bits. */
    private void requests() {
        Frame request = manager(new CmRequest(
                0x11111111,
                0x2222_2222_2222_2222L,
                0x333333,
                0x444444,
                5,
                6,
                4,
                17,
                0,
                ROUTE.sourceIp(),
                0xBBBB,
                ROUTE.destinationIp(),
                0xDDDD,
                0,
                data(CmRequest.PRIVATE_BYTES)));
        expect(
                request,
                "mad.transactionid mad.attributeid deth.q_key deth.srcqp",
                "0x1122334455667788 0x0010 0x0000000080010000 0x00000001");
        expect(
                request,
                "cm.req.serviceid.dport cm.req.localcaguid cm.req.localqpn cm.req.startpsn"
                        + " cm.req.retrcount cm.req.rnrretrcount cm.req.pppmtu cm.req.prim_localacktout",
                "0xdddd 0x2222222222222222 0x333333 0x444444 0x05 0x06 0x04 0x11");
        expect(
                request,
                "cm.req.prim_hoplim cm.req.transpsvctype cm.req.e2eflowctrl cm.req.remoteresptout"
                        + " cm.req.localresptout cm.req.maxcmretr cm.req.pkey",
                "0x40 0x00 0x01 0x14 0x14 0x0f 0xffff");
        expect(
                request,
                "cm.req.ip_cm.ipv cm.req.ip_cm.sport cm.req.ip_cm.sip4 cm.req.ip_cm.dip4",
                "0x04 0xbbbb 10.0.0.1 10.0.0.2");
    }

    private void replies() {
        Frame reply = manager(new CmReply(
                0x11111111, 0x22222222, 0x333333, 0x444444, 5, 0x6666_6666_6666_6666L, 0, data(CmReply.PRIVATE_BYTES)));
        expect(
                reply,
                "mad.attributeid cm.rep.remotecommid cm.rep.localqpn cm.rep.startpsn cm.rep.rnrretrcount"
                        + " cm.rep.tgtackdelay cm.rep.e2eflowctrl cm.rep.localcaguid",
                "0x0013 0x22222222 0x333333 0x444444 0x05 0x0f 0x01 0x6666666666666666");
        expect(reply, "cm.rep.private", hex(data(CmReply.PRIVATE_BYTES)));
    }

    private void rejects() {
        Frame reject = manager(new CmReject(
                0x11111111,
                0x22222222,
                CmReject.OF_REPLY,
                CmRejectReason.TIMEOUT,
                0x3333_3333_3333_3333L,
                data(CmReject.PRIVATE_BYTES)));
        expect(
                reject,
                "mad.attributeid cm.rej.localcommid cm.rej.remotecommid cm.rej.msgrej cm.rej.rejinfolen"
                        + " cm.rej.reason",
                "0x0012 0x11111111 0x22222222 0x01 0x08 0x0004");
        expect(
                reject,
                "cm.rej.ari cm.rej.private",
                "3333333333333333" + "00".repeat(64) + " " + hex(data(CmReject.PRIVATE_BYTES)));
    }

    private void endsOfConnections() {
        expect(
                manager(CmNotice.disconnect(0x11111111, 0x22222222, 0x333333)),
                "mad.attributeid cm.dreq.localcommid cm.dreq.remotecommid cm.req.remoteqpneecn",
                "0x0015 0x11111111 0x22222222 0x333333");
        expect(
                manager(CmNotice.of(CmAttribute.DISCONNECT_REPLY, 0x11111111, 0x22222222)),
                "mad.attributeid cm.drsp.localcommid cm.drsp.remotecommid",
                "0x0016 0x11111111 0x22222222");
        expect(
                manager(CmNotice.of(CmAttribute.READY, 0x11111111, 0x22222222)),
                "mad.attributeid cm.rtu.localcommid cm.rtu.remotecommid",
                "0x0014 0x11111111 0x22222222");
    }
}
