package org.railyard.mad.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.railyard.base.wire.WireFormatException;

/** Whatever a line holds, it is a MAD, or none, or refused with a reason. */
final class MadLinesFuzzTest {
    @FuzzTest
    void anyLine(byte[] data) {
        try {
            MadLines.read(new String(data, StandardCharsets.ISO_8859_1)).ifPresent(MadText::line);
        } catch (WireFormatException e) {
            if (String.valueOf(e.getMessage()).length() > 200) {
                throw new AssertionError(e);
            }
        }
    }
}
