package org.railyard.cli.text;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Input that ends with an error after so many bytes. Not thread-safe. */
public final class LimitedInput extends FilterInputStream {
    private final long limit;
    private long left;

    /**
     * Limits an input.
     *
     * @param limit most bytes
     */
    public LimitedInput(InputStream in, long limit) {
        super(in);
        this.limit = limit;
        this.left = limit;
    }

    @Override
    public int read() throws IOException {
        int b = super.read();
        count(b < 0 ? 0 : 1);
        return b;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int count = super.read(into, from, length);
        count(Math.max(count, 0));
        return count;
    }

    private void count(int bytes) throws IOException {
        left -= bytes;
        if (left < 0) {
            throw new IOException("more than " + limit + " bytes");
        }
    }
}
