package org.railyard.decode;

/** Prints what is found in a stream while it comes. */
sealed interface StreamReport extends CaptureDecoder.Output
        permits TextReport.Running, YamlReport.Running, JsonStreamReport {
    /**
     * Prints what is known at the end.
     *
     * @param problems damaged places
     */
    void end(CaptureDecoder.Totals totals, long problems);
}
