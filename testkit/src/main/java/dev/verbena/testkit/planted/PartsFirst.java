package dev.verbena.testkit.planted;

import java.util.Comparator;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/// Deeper packages first, then by name: the tests of a part are quick and say more of a bug in it
/// than a campaign over the whole.
final class PartsFirst implements ClassOrderer {
    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors()
                .sort(
                        Comparator.<ClassDescriptor>comparingInt(
                                        each -> -depth(each.getTestClass().getPackageName()))
                                .thenComparing(each -> each.getTestClass().getName()));
    }

    private static int depth(String packageName) {
        return (int) packageName.chars().filter(character -> character == '.').count();
    }
}
