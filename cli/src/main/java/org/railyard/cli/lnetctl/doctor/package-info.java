/** Findings of the doctor as text for people. Where they come from is the business of {@code org.railyard.doctor}. */
@NullMarked
package org.railyard.cli.lnetctl.doctor;

import org.jspecify.annotations.NullMarked;
