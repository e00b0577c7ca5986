"""Training: experiments run, kept, resumed and judged.

    headproof train order --profile quick
    training = headproof.proofs_check.training.run.train("order", profile="quick")

An experiment itself lives in numeric/ (see `numeric.experiment`, which says how to add one); here
are its registry, the folder that it leaves, the processes that it runs in, and the criteria that
claims fix beforehand. A claim's producer is one line:

    def stages(context: Context) -> Outcome:
        return trained(context, "order", criteria.STAGES)

which trains at least 5 seeds under profile ``full``, finds those that ``headproof train`` finished,
and under ``quick`` runs the mechanics only (profile ``smoke``) and concludes nothing.
"""
