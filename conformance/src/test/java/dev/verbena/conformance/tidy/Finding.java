package dev.verbena.conformance.tidy;

/// One breach of one rule, at one place, with what to do about it.
///
/// `method` is empty where the place is not inside a method.
record Finding(String path, int line, String rule, String method, String message) {

    static Finding inFile(String path, int line, String rule, String message) {
        return new Finding(path, line, rule, "", message);
    }

    /// Whether an exception written for `subject`, a path or `path#method`, covers this.
    boolean isAbout(String subject) {
        return subject.equals(path) || (!method.isEmpty() && subject.equals(path + "#" + method));
    }

    @Override
    public String toString() {
        return path + ":" + line + " " + rule + ": " + message;
    }
}
